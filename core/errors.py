"""Every error that youju raises on purpose.

::

    YoujuError
    ├── SettingsError (ValueError)             an option has a value it cannot have
    ├── QuestionError (ValueError)             a question without content
    ├── MissingExtraError (ImportError)        an optional dependency is not installed
    ├── LoadError                              a file, or a page of it, could not be read
    │   ├── UnsupportedFormatError             no loader for this kind of file
    │   ├── ProtectedFileError                 a password is needed
    │   ├── DamagedFileError                   broken, truncated or undecodable content
    │   └── NoTextError                        nothing to read: empty, scanned, blank
    ├── KnowledgeBaseError                     the knowledge base cannot do what was asked
    │   ├── KnowledgeBaseNotFoundError (FileNotFoundError)
    │   ├── KnowledgeBaseMismatchError         made with other settings than those in force
    │   └── KnowledgeBaseBusyError (TimeoutError)  another process is writing
    └── ModelError                             a model was asked and gave no usable reply
        ├── ModelTimeoutError (TimeoutError)
        ├── ModelAuthError                     key missing, wrong or not allowed
        ├── ModelRateLimitError                too many requests, or no quota left
        ├── ModelUnavailableError (ConnectionError)  not reachable, or failing on its side
        ├── ModelRequestError                  the provider refused the request as such
        ├── ModelRefusalError                  the model or a content filter refused to answer
        ├── AnswerCutOffError                  the reply stopped at its length limit
        ├── EmptyAnswerError                   the reply has no text
        └── TextTooLongError (ValueError)      more text than the model reads

Messages are written for the person who reads them, in Chinese, and say what to do next. Facts a program
may want are attributes.
"""


class YoujuError(Exception):
    """Anything that youju refuses or fails to do."""


class SettingsError(YoujuError, ValueError):
    """An option has an unknown name or a value it cannot have."""


class QuestionError(YoujuError, ValueError):
    """The question is no text, is empty, too long, or holds nothing that could be searched for."""


class MissingExtraError(YoujuError, ImportError):
    """An optional dependency is needed and not installed.

    Attributes:
        package: The missing module.
        extra: The extra of youju that brings it.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose}需要安装 {package}：{how_to_install(package, extra)}")
        self.package = package
        self.extra = extra


def how_to_install(package: str, extra: str) -> str:
    """The command that installs what an extra brings; the package's own name works wherever youju came from."""
    quoted = f"'{package}'" if "[" in package else package
    return f"pip install {quoted}，或 pip install 'youju[{extra}]'（在有据的源码文件夹里写 '.[{extra}]'）"


class LoadError(YoujuError):
    """A file, or one of its pages, could not be read.

    Attributes:
        source: The file as the user knows it.
        reason: Why, in words, without the file's name.
        pages: The 1-based pages concerned; empty when it is the whole file.
    """

    def __init__(self, source: str, reason: str, *, pages: tuple[int, ...] = ()) -> None:
        super().__init__(f"{source}：{reason}")
        self.source = source
        self.reason = reason
        self.pages = pages


class UnsupportedFormatError(LoadError):
    """No loader reads this kind of file."""


class ProtectedFileError(LoadError):
    """The file opens only with a password."""


class DamagedFileError(LoadError):
    """The file's content is broken, truncated or not decodable."""


class NoTextError(LoadError):
    """The file or page holds no text that could be read."""


class KnowledgeBaseError(YoujuError):
    """The knowledge base cannot do what was asked of it."""


class KnowledgeBaseNotFoundError(KnowledgeBaseError, FileNotFoundError):
    """There is no knowledge base at the place named."""


class KnowledgeBaseMismatchError(KnowledgeBaseError):
    """The base was made with other settings than those in force."""


class KnowledgeBaseBusyError(KnowledgeBaseError, TimeoutError):
    """Another process is writing to the base."""


class ModelError(YoujuError):
    """A model was asked and gave no usable reply."""


class ModelTimeoutError(ModelError, TimeoutError):
    """The model did not reply in time."""


class ModelAuthError(ModelError):
    """The key is missing, wrong or not allowed to do this."""


class ModelRateLimitError(ModelError):
    """Too many requests, or no quota left."""


class ModelUnavailableError(ModelError, ConnectionError):
    """The service cannot be reached or fails on its own side."""


class ModelRequestError(ModelError):
    """The provider refused the request as such, for example an unknown model name."""


class ModelRefusalError(ModelError):
    """The model or the provider's content filter refused to answer."""


class AnswerCutOffError(ModelError):
    """The reply stopped at its length limit and is only half an answer."""


class EmptyAnswerError(ModelError):
    """The reply holds no text."""


class TextTooLongError(ModelError, ValueError):
    """More text than the model reads; it was not cut silently."""
