"""What a unit of the evidence looks like: a step, a definition, a list."""

import re

from youju.models.extractive_reading import Unit
from youju.models.questions import Part

_STEP = re.compile(
    r"首先|然后|其次|接着|最后|[再先]|第[一二三四五六七八九十\d]步|步骤|方法|点击|选择|打开|进入|填写|提交|登[录陆]|输入|运行|执行"
    r"|安装|配置|使用|通过|应[当先在由]?|须|需要?|请|可以?|[按由向]|联系|设置|拨打|出示|申请"
    r"|\b(?:click|run|install|open|select|use|set|call|submit|must|should|first|then)\b"
)
CONSEQUENCE = re.compile(r"否则|逾期|未(?:按|经|能|在)|不予|视为|不得|严禁|如果?未|导致|后果|作废|otherwise|failure to")
_DEFINES = re.compile(
    r"是指|指的?是|系指|[是即指为]|称为|表示|意味着|意思|定义|:|--|\bis\b|\bare\b|\bmeans\b|refers to"
)


def shape(part: Part, unit: Unit) -> float:
    """How much a unit looks like what is asked for; in [-0.35, 0.4]."""
    own = unit.own
    if part.form == "how":
        step = 0.1 * (_STEP.search(own) is not None) + 0.1 * (unit.kind == "item") + 0.2 * unit.leads
        step -= 0.15 * (unit.kind == "row")
        return step - 0.2 * (CONSEQUENCE.search(own) is not None)
    if part.form == "define":
        return 0.3 * _is_definition(part, own)
    if part.form == "list":
        return 0.05 * (unit.leads or own.count("、") > 1)
    return 0.0


def _is_definition(part: Part, own: str) -> bool:
    for term in part.words:
        at = own.find(term.text)
        if at >= 0 and _DEFINES.search(own, at + len(term.text), at + len(term.text) + 14):
            return True
    return False
