"""Folders: what is found, passed over, refused."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from youju.errors import LoadError, UnsupportedFormatError
from youju.loaders import FoundFiles, find_files, load_file


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("年假为十天。", encoding="utf-8")


def names(found: FoundFiles) -> list[str]:
    return [path.relative_to(found.root).as_posix() for path in found.files]


def refusals(found: FoundFiles) -> dict[str, str]:
    return {problem.source: problem.reason for problem in found.problems}


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.txt", "a/c.MD", "卷一/年假.txt")

    found = find_files(tmp_path)

    assert found.root == tmp_path
    assert names(found) == ["a/c.MD", "a/z.txt", "b.md", "卷一/年假.txt"]
    assert found.problems == ()


def test_a_file_is_itself(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")

    assert find_files(str(tmp_path / "a.md")) == FoundFiles(tmp_path, (tmp_path / "a.md",))


def test_hidden_and_temporary_files_are_passed_over_quietly(tmp_path: Path) -> None:
    write(
        tmp_path, "a.md", ".DS_Store", ".git/x.md", "~$a.docx", "~$a.md", "Thumbs.db", "desktop.ini", "__pycache__/b.md"
    )

    found = find_files(tmp_path)

    assert names(found) == ["a.md"]
    assert found.problems == ()


def test_the_knowledge_base_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "youju_db/notes.md", "sub/db/b.md")

    assert names(find_files(tmp_path, skip=[tmp_path / "youju_db", tmp_path / "sub" / "db"])) == ["a.md"]


def test_files_of_other_kinds_are_reported_with_the_kinds_that_are_read(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "sub/note.xyz", "README", "old.doc")

    found = find_files(tmp_path)

    assert all(type(problem) is UnsupportedFormatError for problem in found.problems)
    readable = (
        "可以读取：PDF、Word（.docx）、Excel（.xlsx）、PowerPoint（.pptx）、网页（.html）、"
        "Markdown（.md）、文本（.txt）、CSV、JSONL"
    )
    assert refusals(found) == {
        "README": f"文件没有扩展名，看不出格式；{readable}",
        "old.doc": "不支持 .doc 格式；请用 Word 或 WPS 另存为 .docx 后重试",
        "sub/note.xyz": f"不支持 .xyz 格式；{readable}",
    }


def test_one_bad_file_does_not_end_the_run(
    tmp_path: Path, make_pdf: Callable[..., bytes], rewrite: Callable[..., bytes]
) -> None:
    write(tmp_path, "good.md", "note.xyz", ".DS_Store", "~$a.docx")
    whole = make_pdf(["年假为10天。"])
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "locked.pdf").write_bytes(rewrite(whole, user="secret"))
    found = find_files(tmp_path)

    read, failed = [], [type(problem).__name__ for problem in found.problems]
    for path in found.files:
        try:
            read.append(load_file(path).source)
        except LoadError as error:
            failed.append(f"{error.source} {type(error).__name__}")

    assert read == ["good.md"]
    assert failed == [
        "UnsupportedFormatError",
        "cut.pdf DamagedFileError",
        "empty.pdf NoTextError",
        "locked.pdf ProtectedFileError",
    ]


def test_links_that_lead_outside_are_reported_and_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "secret/b.md")
    (tmp_path / "docs" / "file.md").symlink_to(tmp_path / "secret" / "b.md")
    (tmp_path / "docs" / "folder").symlink_to(tmp_path / "secret", target_is_directory=True)
    (tmp_path / "docs" / "up").symlink_to("..", target_is_directory=True)
    (tmp_path / "docs" / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "docs" / "circle.md").symlink_to("circle.md")

    found = find_files(tmp_path / "docs")

    outside = "链接指向文件夹之外，没有读取；需要时请把文件复制进来"
    broken = "链接指向的文件不存在或打不开；请修复或删除这个链接"
    assert names(found) == ["a.md"]
    assert refusals(found) == {
        "circle.md": broken,
        "file.md": outside,
        "folder": outside,
        "gone.md": broken,
        "up": outside,
    }


def test_links_inside_lead_to_each_file_once(tmp_path: Path) -> None:
    write(tmp_path, "z/real.md", ".store/hidden.md")
    (tmp_path / "a.md").symlink_to("z/real.md")
    (tmp_path / "b").symlink_to("z", target_is_directory=True)
    (tmp_path / "here").symlink_to(".", target_is_directory=True)
    (tmp_path / "c.md").symlink_to(".store/hidden.md")
    (tmp_path / "d.md").symlink_to(".store/hidden.md")

    found = find_files(tmp_path)

    assert names(found) == ["c.md", "z/real.md"]
    assert found.problems == ()


def test_a_folder_given_as_a_link_is_walked(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to("real", target_is_directory=True)

    assert names(find_files(tmp_path / "link")) == ["a.md"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="找不到"):
        find_files(tmp_path / "none")
    with pytest.raises(LoadError):
        find_files("a\0b")


def test_pipes_and_sockets_are_reported_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.txt")
        found = find_files(tmp_path)

    assert names(found) == ["a.md"]
    assert set(refusals(found)) == {"pipe.md", "s.txt"}
    assert find_files("/dev/null").problems[0].reason.startswith("不是普通文件")


def test_a_name_that_is_no_utf_8_is_reported(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xc4\xea.md")).write_text("年假", encoding="utf-8")

    assert refusals(find_files(tmp_path)) == {"\ufffd\ufffd.md": "文件名不是有效的 UTF-8 文字；请改名后重试"}


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder, seen by somebody who is not root: to root every file is readable."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        user = os.geteuid()
        write(folder, "a.md", "closed.md", "shut/b.md")
        (folder / "closed.md").chmod(0)
        (folder / "shut").chmod(0)
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(user)
            (folder / "shut").chmod(stat.S_IRWXU)


def test_what_may_not_be_read_is_reported(ordinary_user: Path) -> None:
    found = find_files(ordinary_user)

    assert names(found) == ["a.md"]
    assert refusals(found) == {
        "closed.md": "没有读取权限；请修改文件权限后重试",
        "shut": "打不开这个文件夹，里面的文件没有读取；请检查权限",
    }
    with pytest.raises(LoadError, match="没有读取权限"):
        load_file(ordinary_user / "closed.md")
