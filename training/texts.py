"""Writes texts.json, the sentences the teacher reads: {"en": [...], "zh": [...]}, the same every time.

English: example sentences of WordNet's glosses (its licence asks for its notice; models/default/NOTICE has it).
Mandarin: our own templates filled from our own word lists, and enumerations of words of jieba's dictionary,
which bring rare syllables.
"""
import argparse
import json
import random
import re
from pathlib import Path

WORDS = {
    "who": "我 你 他 她 我们 你们 他们 老师 同学 爸爸 妈妈 医生 司机 老板 朋友 邻居 孩子 爷爷 奶奶 经理 客人 警察 记者 厨师 学生 "
           "工程师 小李 小王 老张 姐姐 弟弟",
    "place": "公园 学校 医院 火车站 机场 超市 图书馆 办公室 餐厅 银行 海边 山上 河边 广场 博物馆 电影院 体育馆 咖啡馆 书店 菜市场 "
             "北京 上海 广州 成都 西安 杭州 云南 草原 森林 地铁站 宾馆 邮局",
    "time": "今天 明天 昨天 后天 早上 中午 下午 晚上 周末 星期一 上个月 下个月 去年 春天 夏天 秋天 冬天 刚才 三点钟 半夜 国庆节 春节 "
            "八月份 最近 将来",
    "food": "米饭 面条 饺子 包子 牛肉 羊肉 鸡蛋 苹果 香蕉 葡萄 西瓜 豆腐 鱼汤 火锅 烤鸭 青菜 土豆 番茄 牛奶 绿茶 咖啡 果汁 蛋糕 "
            "巧克力 辣椒 花生 玉米 粽子 月饼 糖醋排骨",
    "thing": "手机 电脑 书包 钥匙 雨伞 眼镜 桌子 椅子 窗户 钢琴 吉他 自行车 汽车 照片 地图 报纸 杂志 护照 行李 衣服 鞋子 帽子 手表 "
             "礼物 词典 耳机 台灯 冰箱 洗衣机 机器人 合同 文件",
    "act": "跑步 游泳 唱歌 跳舞 画画 做饭 看书 写信 爬山 钓鱼 下棋 学习 开会 睡觉 散步 旅行 购物 拍照 打篮球 踢足球 听音乐 打扫房间 "
           "修理机器 讨论问题 练习书法 准备考试 整理资料 照顾病人",
    "adj": "高兴 难过 漂亮 安静 热闹 干净 便宜 贵 重要 简单 复杂 有趣 危险 舒服 新鲜 古老 遥远 聪明 勇敢 温柔 严肃 特别 普通 明亮 "
           "黑暗 寒冷 炎热 潮湿 干燥 美味",
    "topic": "历史 数学 音乐 文学 经济 环境 科学 艺术 健康 教育 交通 天气 新闻 法律 哲学 语言 建筑 农业 能源 人工智能 宇宙 海洋 动物 "
             "植物 传统文化",
    "num": "两 三 四 五 六 七 八 九 十 十二 二十 三十五 一百 四百八十 一千",
}
TEMPLATES = """{time}{who}去{place}{act}。|{who}觉得这件事很{adj}。|请把{thing}放在{place}。|{who}想吃{food}，不想吃{food}。
{place}离这里有{num}公里。|{time}的{place}非常{adj}。|你喜欢{act}还是{act}？|{who}告诉{who}，{time}要去{place}。
这家{place}的{food}又{adj}又{adj}。|{who}把{thing}忘在{place}了。|我们正在学习{topic}和{topic}。|{time}我给{who}买了一个{thing}。
{who}为什么不愿意{act}？|关于{topic}的书，{who}已经读了{num}本。|如果{time}下雨，我们就在{place}{act}。
{who}一边{act}，一边想着{topic}。|听说{place}的人都很喜欢{act}。|这个{thing}是{who}{time}送给我的。
因为{adj}，所以{who}没有去{place}。|{who}说{topic}比{topic}更{adj}。|能不能帮我找一下{thing}？
{num}年以前，这里还是一片{adj}的土地。|欢迎光临，请问您要{food}还是{food}？|请稍等片刻，{who}马上就到{place}。
{time}{place}举行了一场{adj}的比赛。|{who}终于学会了{act}。|我从来没有见过这么{adj}的{thing}。|{who}和{who}在{place}见面，谈了很久{topic}。
真没想到{who}这么{adj}！|多喝一点{food}，对身体有好处。|{thing}坏了，{who}正在修理。|不管{time}多么{adj}，{who}都坚持{act}。
{place}旁边有一座{adj}的楼。|你的{thing}在哪里？|谢谢你{time}陪我去{place}。|除了{food}以外，{who}什么都吃。|{who}对{topic}很感兴趣。
虽然很{adj}，但是{who}一点也不后悔。|从{place}到{place}要坐{num}个小时的火车。|{who}的声音听起来很{adj}。"""
ENUMERATIONS = ["{}，{}，{}。", "{}和{}，还有{}。", "先{}，再{}，然后{}。", "不是{}，而是{}，也许是{}。"]
CONTENT_WORDS = {"n", "v", "a", "vn", "an", "i", "l", "nz", "d"}  # jieba's part-of-speech tags


def english_sentences(wordnet):
    found = set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(wordnet / f"data.{part}", encoding="latin-1"):
            for quote in re.findall(r'"([^"]+)"', line.partition("|")[2]):
                quote = quote.strip().rstrip(";").strip()
                if re.search(r"[^A-Za-z ,.'?!-]|[A-Z]{2,}|\.\.|--", quote) or not 4 <= len(quote.split()) <= 16:
                    continue
                quote = quote[0].upper() + quote[1:]
                found.add(quote if quote[-1] in ".?!" else quote + ".")
    return sorted(found)


def dictionary_words():
    import jieba
    with jieba.get_dict_file() as lines:
        for line in lines:
            word, count, tag = line.decode("utf-8").split()
            if 2 <= len(word) <= 4 and int(count) >= 60 and tag in CONTENT_WORDS and re.fullmatch(r"[\u4e00-\u9fa5]+", word):
                yield word


def mandarin_sentences(random_source, count):
    words = {name: text.split() for name, text in WORDS.items()}
    templates = [line for block in TEMPLATES.splitlines() for line in block.split("|")]
    dictionary = list(dictionary_words())
    sentences = []
    for i in range(count):
        if i % 3:
            template = random_source.choice(templates)
            sentences.append(re.sub(r"\{(\w+)\}", lambda slot: random_source.choice(words[slot[1]]), template))
        else:
            sentences.append(random_source.choice(ENUMERATIONS).format(*random_source.sample(dictionary, 3)))
    return list(dict.fromkeys(sentences))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with WordNet 3's data.noun and the others")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--mandarin", type=int, default=12000, help="Mandarin sentences to make")
    args = parser.parse_args()
    random_source = random.Random(7)
    english = english_sentences(args.wordnet)
    random_source.shuffle(english)
    texts = dict(en=english, zh=mandarin_sentences(random_source, args.mandarin))
    args.output.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    print({language: len(sentences) for language, sentences in texts.items()})


if __name__ == "__main__":
    main()
