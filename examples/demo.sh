#!/bin/sh
# What a newcomer would type, with what it prints. BIN: where `youju` is; DB: folder for the knowledge base.
set -eu
cd "$(dirname "$0")/.."

run() {
    printf '\n$ %s\n' "$*"
    program=$1
    shift
    "$BIN/$program" "$@"
}

echo "三份示例文件在 examples/docs：PDF、Markdown 和 GBK 编码的文本。"
run youju ingest examples/docs --db "$DB"
echo
echo "一、资料里有答案："
run youju ask -q '会员买的非定制商品，签收10天后还能申请退货吗？' --db "$DB"
echo
echo "二、资料里只有一部分："
run youju ask -q '年假有几天，婚假有几天？' --db "$DB"
echo
echo "三、资料里没有："
run youju ask -q '退货运费由谁承担？' --db "$DB"
