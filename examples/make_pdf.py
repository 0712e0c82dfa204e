"""Makes `docs/会员退货政策.pdf`, the two-page example. Run it after changing the text; it needs reportlab."""

from pathlib import Path

from reportlab.lib.pagesizes import A5
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

PAGES = (
    (
        "会员退货政策",
        "第一条 会员订购的商品，自签收之日起15天内可以申请",
        "退货；普通订单自签收之日起7天内可以申请退货。",
        "第二条 申请退货时，商品应保持完好，配件、赠品和发票",
        "应当齐全。",
    ),
    (
        "第三条 按顾客要求定制的商品，不支持无理由退货；有质",
        "量问题的，仍可按本政策处理。",
        "第四条 退货申请审核通过后，货款在3个工作日内退回原支",
        "付账户。",
    ),
)


def main() -> None:
    """Write the file."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    target = Path(__file__).parent / "docs" / "会员退货政策.pdf"
    canvas = Canvas(str(target), pagesize=A5, invariant=1)
    canvas.setTitle("会员退货政策")
    for lines in PAGES:
        canvas.setFont("STSong-Light", 14)
        for number, line in enumerate(lines):
            canvas.drawString(36, 540 - 26 * number, line)
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main()
