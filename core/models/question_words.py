"""Word lists for reading questions."""

import re

ASKING = re.compile(
    r"什么时候|什么地方|哪一?[年天日]|何[年日]|哪里|哪儿|哪位|多久|多少|多[长大重远高宽深厚]|几|谁|什么|啥|哪|怎么|怎样|如何|为何|为什么|何[时地处人年]|是否|能否|可否|能不能|可不可以|是不是|有没有|吗|呢"
    r"|\b(?:what|how|when|where|who|why|which|can|does|is|are)\b"
)
"""Words that ask, in folded text."""

EMPTY_HAN = """
哪一年 哪一天 哪年 哪天 哪一种 哪一场 哪一节 哪一部 哪一位 哪一项 哪一座 哪一所 哪一家 哪一 哪部 哪种 哪座 哪所
哪项 哪次 哪场 哪条 哪方面 哪几个 哪几 哪边 何种 何年 何时 何处 何地 何人 年时 时候 的时候 之后 以后 之前 以前
期间 如果 因为 但是 所以 为了 而且 以及 其中 曾经 后来 大约 通常 一般 主要 分别 各自 文中 提及 请根据 根据 结合
按照 这些 那些 哪一句 哪家 自己 几天内 几日内 几个月内 几小时内
只有 才能 必须要 又称为 是从 自从 为什么 有没有 能不能 可不可以 是不是
多长时间 什么时候 多少钱 多少天 多少元 什么样 怎么样 怎么办
哪一个 哪个 哪些 哪里 哪儿 哪位 请问 请 多久 多少 多长 多大 几个 几天
几年 几月 几点 几次 几种 几 谁 什么 啥 哪 怎么 怎样 如何 为何 是否 能否 可否 可以 能够 应该 需要 我们 你们 他们
我 你 您 他 她 它 吗 呢 吧 啊 呀 的 地 得 了 着 过 是 有 在 和 与 及 或 跟 被 把 对 从 向 以 于 为 由 将 还 也
都 就 才 又 再 很 最 这 那 这个 那个 其 之 所 者 会 能 要 想 后 前 时 里 中 上 下 内 本 不 没 没有 一 个 种 些 到
给 让 使 用 等 进行 并 并且 而 一下 告诉 介绍 说明 知道 关于 对于 一年 一天 一次 一名 还有 之内 以内 之外 以上
以下 来 去 应 须 具体来说 目前 现在 当前 如今 什么事 哪国 哪一国 被称为 称为 叫做 叫作 又叫 还叫
上有 中有 里有 内有 下有 共有 花了
""".split()
"""Words that ask, connect or address, and say nothing about the matter."""

EMPTY_ENGLISH = """
a an the of to in on at for and or is are was were be do does did how what when where who why which can could
i you it this that with by from my your our should would will there many much get have has any am been being
please tell me long often take takes about its their if as we they
""".split()
"""The same for English."""

GENERAL = """
default property 发生 职业 状态 情形 名字 姓名 地址 地点 号码 负责
一共 享受 作用 公司 具体 内容 制度 办法 功能 区别 原因 含义 员工 总共 情况 意思 政策 方式 最晚 最早
方法 时间 最低 最多 最少 最短 最长 最高 期限 权益 条件 标准 步骤 流程 现在 用户 目前 相关 至少 范围 要求 规定 问题
""".split()
"""Words that name an aspect rather than the matter: a text answers without repeating them."""

ASPECTS = frozenset([*GENERAL, *"上限 下限 比例 金额 费用 价格 单价 数量 频率 次数 算 付 发 交".split()])
"""Words that say what of a thing is asked for and not of which thing."""
