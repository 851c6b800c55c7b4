// Tone changes in connected speech, applied to the readings of one run of words: 不 and 一, neutral
// tones, erhua, third tones. What the user fixed stays. Pure functions.
// Source: the rules of standard Mandarin (GB/T 34171 word list of the Putonghua test for neutral
// tones), with the word grouping for third tones that GPT-SoVITS models were trained on.
#pragma once

#include <vector>

#include "text/mandarin/readings.h"
#include "text/mandarin/segmenter.h"

namespace timbre::text::mandarin {

// All of the below, in the order in which they feed one another.
void ApplySandhi(std::vector<Token>* words, const Segmenter& segmenter);

// 不 before a fourth tone: bu2; inside 看不懂: bu5.
// 一 before a fourth tone: yi2, before others yi4; counting, last in a word: yi1; in 看一看: yi5.
void ApplyBuAndYi(std::vector<Token>* words);

// 石头 tou5, 妈妈 ma5, 路上 shang5, 一个 ge5 ...; 儿 that only colours the syllable before it: er5.
void ApplyNeutralTones(std::vector<Token>* words);

// Of two third tones in one rhythmic group the first rises: 你好 ni2 hao3.
void ApplyThirdTones(std::vector<Token>* words, const Segmenter& segmenter);

}  // namespace timbre::text::mandarin
