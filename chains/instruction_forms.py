"""How documents speak to a model: the wordings; apart from their use, as compiling them takes 0.1 s."""

import re

from youju.text import HAN

_REST = r"[^。！？\n]"
_REST_EN = r"[^.!?\n]"
_MODEL = r"(?:AI(?:助手|模型)?|人工智能(?:助手)?|(?:大型?|大?语言)+模型|聊天机器人|智能(?:助手|体)|机器人)"
_MODEL_EN = r"(?:assistant|model|AI|bot)\b"
_ORDER = (  # where an order begins: at a clause, or behind a word that asks for something
    r"(?:(?<=[。！？!?，,；;：:、\n“\"（(【\[\]】#*>|])|(?<![\w\W])"
    r"|(?<=[请你要应当须必并且先就都把来])|(?<=可以)|(?<=现在)|(?<=直接)|(?<=立即)|(?<=立刻)"
    r"|(?<=助手)|(?<=模型)|(?<=机器人)|(?<=AI))"
)
_ORDER_EN = (
    r"(?:(?<![\w\W])|(?<=[.!?,:;。！？，：；\n“\"(>#*\]])[^\S\n]*"
    r"|\b(?:please|now|and|then|just|instead|so|you (?:must|should|will|are to|need to|have to))\s+)"
)
_IGNORE = (
    r"(?:忽略|无视|忘记|忘掉|抛开|丢弃|推翻|不用管|不要管|别管|不要理会|不必理会|不再遵守|停止遵守)掉?"
    rf"{_REST}{{0,12}}?(?:以上|上述|上面|之前|前面|先前|此前|前述|前文|所有|一切|任何|全部|系统|你的|原来的)"
    rf"(?:{_REST}{{0,10}}?(?:规则|指令|要求|提示|设定|命令|约束|限制|指示|内容|资料|文字|一切|对话)|的?一切)"
)
_VOID = (
    r"(?:(?:以上|上述|上面|前述|前面)的?(?:所有|全部|一切)?(?:规则|指令|要求|提示|设定|命令|内容)"
    r"|(?:之前|此前|先前|一切|所有)的?(?:所有|全部|一切)?(?:指令|提示|设定|命令))[^。！？，,\n]{0,4}(?:作废|失效|无效)"
)
_WHO = (
    r"[你您](?:现在|从现在起|接下来|将)?(?:就?是(?![否如怎不])|扮演|作为)(?:一个|一名|一位)?[^。！？，,\n]{0,10}"
    r"(?:助手|模型|AI|机器人)(?!的?(?:提供|开发|使用|用户|训练|公司|厂商|工程|专家|产品|功能|服务|应用|能力))"
    rf"|作为(?:一个|一名|一款)?{_MODEL}[，,、]?(?:你|请|应当?|必须|需要?|只能|务必|要)"
    rf"|{_MODEL}[，,：: ]{{0,2}}(?:请|务必|只能){_REST}{{0,6}}(?:回答|回复|输出)"
    rf"|(?:{_MODEL}|助手|模型)[^。！？\n]{{0,4}}看到(?:此处|这里|本文|这段|这句){_REST}{{0,8}}(?:回答|回复|输出|说|写)"
)
_SYSTEM = (
    r"(?:系统|管理员)(?:消息|指令|命令|通知|提示)?(?:[\]】][:：]?|[:：])"
    rf"{_REST}{{0,10}}?(?:从现在(?:起|开始)|你(?:只|必须|要|应|需|现在|的任务|的身份)|用户已授权|忽略|无视)"
    r"|从(?:现在|此刻|这一刻|这里|此)(?:起|开始)?[，,]?(?:只能?(?:说|回答|回复|输出)"
    r"|你(?:就?是一|扮演|不再是|(?:只能?|必须|要|都要|务必)[^。，,\n]{0,4}?(?:说|回答|回复|输出|扮演))"
    r"|(?:所有|每个|每次)的?(?:回答|回复)(?:都|必须|只))"
    rf"|(?:新的?|最新|最高(?:级)?|优先|隐藏|内部)(?:系统)?指令[:：]{_REST}{{0,6}}?(?:输出|回答|回复|说|你|忽略)"
    r"|系统提示词|(?:你的|原来的|泄露|透露)系统提示"
)
_UNCITED = (
    r"(?:不要|请勿|切勿|勿|别)(?:引用|标注|标出|给出)(?:任何)?(?:来源|出处|依据|编号|资料)?(?=[。！；，,\n]|$)"
    r"|(?:回答|回复|作答|输出)[^。！？\n]{0,12}(?:不要|无需|不必|不得|请勿)(?:引用|标注|标出|给出)(?:任何)?"
    r"(?:来源|出处|依据|编号|资料)"
    r"|(?:不要|请勿|别|不用|无需)(?:引用|参考|看|理会|使用)(?:任何|这些|上述|以上)?(?:资料|文档|来源)[，,]?(?:而是|请)?"
    r"直接(?:说|回答|回复|输出)"
)
_IGNORE_EN = (
    rf"{_ORDER_EN}(?:ignore|disregard|forget|override)\b{_REST_EN}{{0,30}}?(?:"
    rf"\b(?:previous|above|prior|earlier|preceding|system|your|all)\b{_REST_EN}{{0,30}}?"
    r"\b(?:instructions?|rules?|prompts?|guidelines|training|context)\b"
    rf"|\b(?:previous|above|prior|earlier|preceding)\b{_REST_EN}{{0,30}}?\bmessages?\b"
    r"|\b(?:everything|all|anything)(?: that is| written| said)? (?:above|before)\b"
    rf"|\b(?:the|these|all) (?:documents?|context|evidence|passages?|sources?)\b{_REST_EN}{{0,20}}?"
    r"\b(?:and|then|just|instead)\s+(?:just |only )?(?:answer|say|reply|respond|output|write|tell)\b)"
)
_WHO_EN = (
    rf"\byou are (?:now )?an? {_REST_EN}{{0,20}}\b{_MODEL_EN}"
    r"|\bas an? (?:AI(?: assistant| model)?|(?:large )?language model|chatbot|assistant(?=,)),?\s"
    rf"{_REST_EN}{{0,30}}?\b(?:respond|reply|say|answer|output|write|you (?:must|should))\b"
    rf"|\bfrom now on,? (?:you are (?:now )?an? {_REST_EN}{{0,20}}\b{_MODEL_EN}"
    r"|you (?:must |will |should |shall |may |can )?(?:only |always )?"
    r"(?:say|answer|reply|respond|output|act as|pretend|ignore)\b"
    r"|(?:only |always |just )?(?:say|answer|reply|respond|output)\b"
    r"|(?:all|every|each) (?:your )?(?:answers?|reply|replies)\b)"
    r"|\b(?:your|the above|hidden|new|override|ignore|reveal|print|repeat)\b(?: the| your)? system prompt"
    r"|(?<!\S)system prompt:"
)
_SAY_EN = (
    rf"{_ORDER_EN}(?:reply|respond|answer|output)(?: to (?:this|every|any|all)[^.!?\n]{{0,20}})?"
    r" (?:only with|with only|only:|exactly|solely with)"
    rf"|{_ORDER_EN}(?:reply|respond|answer) with(?: the (?:following|words))?\s?[:：“\"]"
    rf"(?=[^\w\n]*\w+(?:[^\w\"”\n]+\w+){{2}}|[^.\n]*[{HAN}]{{4}})"
)
_TURN = (  # what stands between the turns of a conversation, as models are trained to read it
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_of_turn)\|>"
    r"|\[/?INST\]|<</?SYS>>"
    r"|#{2,6}[^\S\n]*(?:Instruction|Response|Assistant|Human|System(?: (?:message|prompt))?)[^\S\n]?[:：]"
    r"|(?:(?<![\w\W])|(?<=[。！？.!?\n]))[^\S\n]*(?:"
    r"assistant[:：](?![^\S\n]*[A-Z][a-z]+(?: [A-Z][a-z]+)*[^\S\n]*(?:[,(\n]|$))"  # a name is somebody's assistant
    rf"|(?:system|user)[:：]{_REST_EN}{{0,30}}?"
    r"(?:\byou (?:are|must|will|should)\b|\b(?:ignore|reply|answer|say)\b|你[是要必应只]|回答|忽略))"
)
TO_A_MODEL = re.compile(
    rf"{_ORDER}{_IGNORE}|{_VOID}|{_WHO}|{_SYSTEM}|{_UNCITED}|{_IGNORE_EN}|{_WHO_EN}|{_SAY_EN}|{_TURN}", re.IGNORECASE
)
"""What is said to nobody but a model."""

_SPOKEN = (  # a whole statement that is to be said, not a word to press or a question
    rf"(?:[:：][“\"「『‘]?|[“\"「『‘])(?=[^“”\"。！？?\n]*[{HAN}]{{4}})(?![^”\"。！\n]*[吗呢？?或])"
)
_NO_STATEMENT = r"(?:问题|提问|询问|邮件|短信|消息|评论|文件|日志|报|表|数据|格式|结果|一个|到|至|于|明|清|作业)"
TO_WHOM_IT_MAY_BE = re.compile(
    r"(?:请|必须|务必|应当?|都要|一律|(?<=[你请应须要])只能?)你?(?:原样|直接|逐字|始终|总是|永远)*"
    rf"(?:输出|回复|回答|复述|说){_SPOKEN}"
    rf"|{_ORDER}你(?:必须|务必|只能|只需)(?:原样|直接|只|逐字|立即)*(?:输出|回复|回答|答复|复述|说|写)"
    rf"(?!{_REST}{{0,8}}{_NO_STATEMENT})(?={_REST}{{3}})"
    rf"|(?:请|必须|务必|都要|一律)(?:直接)?(?:告诉|告知|回复|回答)用户{_SPOKEN}"
    rf"|(?:下面|以下|下列|下述)[的这]?{_REST}{{0,4}}(?:话|文字|内容|句子)(?:原样|逐字|一字不[差漏改])地?"
    r"(?:输出|复述|重复|回复)"
    rf"|{_ORDER}在?(?:你的|您的|每次|每个)?(?:回答|答案|答复|输出|回复)的?(?:末尾|结尾|最后|开头|前面|后面)"
    rf"{_REST}{{0,6}}?(?:写上?|加上?|附上?|注明|添加|附加|说|插入){_SPOKEN}"
    rf"|回[答复](?:用户)?(?:任何|所有|每个|一切)?的?(?:问题)?时{_REST}{{0,6}}?(?:都|必须|务必|只|一律|先)"
    r"[^。！？，,\n]{0,3}?(?:说|写|输出|回答|回复|加上)[:：]?[“\"「『‘]"
    rf"|(?:无论|不管|不论){_REST}{{0,6}}?(?:问|提问|询问)(?:的是)?到?(?:什么|任何|哪){_REST}{{0,6}}?"
    r"(?:答案(?:都|一律|只)?是|都(?:要|必须|应当?|只|请)?"
    r"(?:说|输出|(?:告诉|回答|回复)(?:用户)?[:：“\"]|答[:：“\"])|一律(?:说|回答|回复|输出)|只(?:说|回答|回复|输出)|回答都?是)"
    rf"|(?:助手|机器人|模型|AI){_REST}{{0,4}}?(?:应当?|必须|需|要)(?:原样|直接)?(?:回答|回复|输出|答复|复述|说){_SPOKEN}",
    re.IGNORECASE,
)
"""What may be said to people as well; see `PEOPLE`."""

PEOPLE = re.compile(
    r"客服|接听|接线|来电|短信|电话|发送|营业员|服务员|乘务|员工|工作人员|学员|学生|同学|考生|面试|主持|导购|店员|店长"
    r"|值班|保安|前台|宣誓|老师|教师|家长|孩子|护士|医生|患者|窗口|柜台|柜员|评审|收银"
)
"""Those who are told what to say."""

MAY_BE_LEFT_UNREAD = re.compile(r"(?:内容|文字|资料|提示|消息|messages?)$", re.IGNORECASE)
CONDITION = re.compile(r"(?:如果?|若|要是|假如|已经?)[^。！？\n]{0,20}[，,]?[^。！？，,\n]{0,3}$")
"""如已缴费，请忽略以上内容 is said to readers: what ends in the one, behind the other."""
