"""What a question asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.models.question_terms import pairs_of
from youju.models.question_values import holds_value, values_in
from youju.models.questions import Part, question_parts
from youju.text import fold


def only(question: str) -> Part:
    (part,) = question_parts(question)
    return part


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("年假有多少天？", ["年假有多少天"]),
        ("退款几天到账? 保修几年?", ["退款几天到账", "保修几年"]),
        ("年假几天，病假几天？", ["年假几天", "病假几天"]),
        ("签收10天后，还能退货吗？", ["签收10天后，还能退货吗"]),
        ("年假；病假", ["年假", "病假"]),
        ("请问，年假有多少天？谢谢", ["请问，年假有多少天", "谢谢"]),
        ("", []),
        ("？？", []),
    ],
)
def test_a_question_is_cut_where_another_thing_is_asked(question: str, parts: list[str]) -> None:
    assert [part.text for part in question_parts(question)] == parts


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("退货运费由谁承担？", ["退货", "运费", "承担"]),
        ("请问年假有多少天？", ["年假"]),
        ("How many days of annual leave?", ["days", "annual", "leave"]),
        ("BX-200 的功率是多少？", ["bx-200", "功率"]),
        ("年假，年假？", ["年假"]),
    ],
)
def test_words_that_ask_or_connect_do_not_matter(question: str, words: list[str]) -> None:
    assert [term.text for term in only(question).words] == words


@pytest.mark.parametrize(
    ("question", "kind", "held", "lacking"),
    [
        ("退货要多少钱", "money", "收费10元", "收费标准另定"),
        ("价格是多少", "money", "全部免费", "见附件"),
        ("多久到账", "length", "三个工作日", "很快"),
        ("阀门多久检查一次", "length", "每季度一次", "定期检查"),
        ("什么时候更新", "date", "周五更新", "不定期更新"),
        ("会议室能坐多少人", "people", "可坐20人", "一方使用"),
        ("违约金是多少", "number", "百分之五", "一方违约"),
        ("客服电话是多少", "contact", "400-123-4567", "9点到18点"),
        ("法定代表人是谁", "name", "法定代表人为王平", "由股东会选举产生"),
        ("运费由谁承担", "person", "由买家承担", "费用另计"),
        ("为什么要登记", "reason", "因防火需要登记", "须登记"),
        ("仓库在哪里", "place", "位于南京市", "仓库须通风"),
    ],
)
def test_the_kind_of_value_is_known_by_the_question_and_seen_in_a_sentence(
    question: str, kind: str, held: str, lacking: str
) -> None:
    part = only(question)
    assert part.kind is not None
    assert part.kind.name == kind
    assert part.has_kind(fold(held))
    assert not part.has_kind(fold(lacking))


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("年假有多少天？", "年假为10天", "年假另算"),
        ("工作满20年年假几天？", "满20年的为15天", "满20年的另算"),  # 20 stands in the question itself
        ("2023年的产量是多少？", "2023年产量为15万台", "2023年产量大增"),
        ("旗手是谁？", "旗手由林晓燕和王建国担任", "旗手举旗入场"),
        ("谁审批报销？", "由财务总监审批", "须先审批再付款"),
        ("总部在哪里？", "总部设在杭州", "总部很大"),
        ("价格是多少？", "价格(元):35", "价格另议"),
        ("洗车要多久？", "洗车;时长(分):20", "洗车;价格(元):35"),
        ("利润增长了多少？", "利润增长5.7%", "利润有所增长"),
        ("第一季度产量", "产量为3万台", "产量保密"),
        ("第九届比赛的冠军", "冠军是上海队", "比赛在五月举行"),
        ("When can items be returned?", "within seven days", "items may be returned"),
        ("保修政策有什么变化", "随便什么", ""),
    ],
)
def test_a_value_counts_if_the_question_does_not_name_it_itself(question: str, holds: str, lacks: str) -> None:
    part = only(question)
    assert holds_value(part, fold(holds))
    assert holds_value(part, fold(lacks)) == (part.kind is None)


def test_the_values_of_a_sentence_are_those_of_the_kind_asked_for() -> None:
    assert values_in(only("年假有多少天？"), "年假为10天,病假为5天") == {"10天", "5天"}
    assert values_in(only("学堂是谁创办的？"), "学堂由张之洞创办") == {"张之洞"}


def test_the_pairs_of_a_question_leave_out_what_only_asks() -> None:
    assert pairs_of("退货运费多少") == {"退货", "货运", "运费"}
    assert pairs_of("谁审批报销") == {"审批", "批报", "报销"}


def test_other_questions_have_no_kind_and_every_sentence_may_answer() -> None:
    part = only("保修政策是什么")
    assert part.kind is None
    assert part.has_kind("")


@pytest.mark.parametrize(
    ("question", "sentence", "block", "about"),
    [
        ("2023年的收入", "2023年收入", "", True),
        ("2023年的收入", "2022年收入", "2023年年报", False),
        ("2023年的收入", "收入12亿", "2023年年报", True),
        ("2023年的收入", "收入12亿", "年报", False),
        ("第三条", "第三条 费用", "", True),
        ("第三条", "第四条 费用", "第三条", False),
        ("bx-200的功率", "bx-100的功率", "bx-200", False),
        ("甲方的责任", "乙方负责", "甲方和乙方", False),
        ("甲方的责任", "甲方和乙方负责", "", True),
        ("年假", "2023年年假", "", True),
        ("2022年的冠军", "2022澳网的冠军", "", True),
        ("2022年的冠军", "第20225号冠军", "", False),
    ],
)
def test_a_sentence_about_another_year_article_model_or_party_is_told_apart(
    question: str, sentence: str, block: str, *, about: bool
) -> None:
    assert only(question).speaks_of(sentence, before="", header="", whole=block) is about


def test_the_year_named_last_before_a_sentence_is_the_one_it_speaks_of() -> None:
    part = only("2023年的收入")
    assert part.speaks_of("收入12亿", before="2022年转型。2023年回升。", header="2022年年报", whole="2022年 2023年")
    assert not part.speaks_of("收入12亿", before="2023年回升。2022年转型。", header="", whole="2022年 2023年")
    assert part.speaks_of("收入12亿", before="", header="", whole="收入12亿", document="2023年 2023年 2022年")
    assert not part.speaks_of("收入12亿", before="", header="", whole="收入12亿", document="2023年 2022年 2022年")


def test_another_company_is_told_apart() -> None:
    part = only("根据年报，东方机电有限公司的负债是多少")
    assert part.organisations == ("东方机电",)
    assert part.speaks_of("东方机电负债5亿", before="", header="", whole="")
    assert part.speaks_of("公司负债5亿", before="", header="", whole="东方机电股份有限公司年报")
    assert not part.speaks_of("西部水泥有限公司负债5亿", before="", header="", whole="东方机电股份有限公司年报")
    assert not part.speaks_of("公司负债5亿", before="", header="", whole="西部水泥有限公司年报")


def test_the_word_beside_the_one_that_asks_counts_more_and_the_place_to_look_less() -> None:
    terms = {term.text: (term.weight, term.role) for term in only("根据合同，阀门的重量是多少").words}
    assert terms == {"合同": (0.3, "scope"), "阀门": (1.0, "plain"), "重量": (1.5, "focus")}
    assert next((term.text, term.role) for term in only("哪个国家生产阀门").words) == ("国家", "category")
    assert [(term.text, term.role) for term in only("公司有多少股东").words][-1] == ("股东", "counted")


def test_coverage_is_the_share_of_the_words_by_weight() -> None:
    part = only("退货运费由谁承担？")
    assert part.coverage("退货的运费由买家承担") == 1.0
    assert part.coverage("可以退货") == pytest.approx(1 / (1 + 1.5 + 1.5))
    assert part.coverage("") == 0.0


def test_another_word_for_the_same_counts_nearly_as_much() -> None:
    assert only("离职").coverage("员工辞职") == pytest.approx(0.9)
    assert only("辞职").coverage("离职") == pytest.approx(0.9)
    assert only("vacation").coverage("annual leave") == pytest.approx(0.9)


def test_a_long_word_counts_by_the_pairs_that_stand_there() -> None:
    (term,) = only("违约金").words
    assert term.held("违约责任") == pytest.approx(0.65 * 2 / 3)
    assert term.held("违约金") == 1.0
    assert only("设备科").words[0].held("技术科") == 0.0


def test_an_english_word_counts_in_its_other_forms_and_not_inside_others() -> None:
    (term,) = only("approves").words
    assert term.held("approved by the manager") > 0
    assert only("GDP").words[0].held("美国gdp增长") == 1.0  # beside Han characters, too
    (term,) = only("port").words
    assert term.held("report") == 0.0


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("可以退货吗", "yes_no"),
        ("怎么退货", "how"),
        ("退货流程是什么", "how"),
        ("退货需要哪些材料", "list"),
        ("什么是无理由退货", "define"),
        ("退货和换货有什么不同", "value"),
        ("退货运费是多少", "value"),
    ],
)
def test_the_form_of_a_question_is_known(question: str, form: str) -> None:
    assert question_parts(question)[0].form == form


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("甲公司和乙公司的收入分别是多少？", ["甲公司的收入是多少", "乙公司的收入是多少"]),
        ("黄金会员和钻石会员有什么区别？", ["黄金会员", "钻石会员"]),
        ("比较甲公司和乙公司的负债，哪家公司的负债更高？", ["甲公司的负债", "乙公司的负债"]),
        ("材料和工具由谁提供？", ["材料和工具由谁提供"]),
    ],
)
def test_what_is_asked_of_two_things_is_asked_of_each(question: str, parts: list[str]) -> None:
    assert [part.text for part in question_parts(question)] == parts


@given(question=st.text(max_size=40), text=st.text(max_size=60))
def test_any_question_has_parts_whose_coverage_is_a_share(question: str, text: str) -> None:
    for part in question_parts(question):
        assert set(part.text) <= set(question)
        assert 0.0 <= part.coverage(fold(text)) <= 1.0 + 1e-9
