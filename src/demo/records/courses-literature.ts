/** Books that the second student's class may choose to read, one course each. */
const BOOKS =
  '尚书 礼记 周易 左传 国语 战国策 荀子 韩非子 墨子 老子 孝经 尔雅 山海经 淮南子 吕氏春秋 汉书 后汉书 三国志 资治通鉴 水经注 洛阳伽蓝记 昭明文选 玉台新咏 乐府诗集 陶渊明集 李太白集 杜工部集 白氏长庆集 韩昌黎集 柳河东集 东坡集 稼轩词 漱玉词 花间集 西厢记' +
  ' 牡丹亭 长生殿 桃花扇 三国演义 水浒传 西游记 金瓶梅 儒林外史 聊斋志异 镜花缘 老残游记 人间词话 随园诗话 沧浪诗话 诗品 典论 说文解字 广韵 方言 史通 文史通义 日知录 困学纪闻 梦溪笔谈 颜氏家训 阅微草堂笔记 呐喊 彷徨 野草 边城 围城 骆驼祥子 茶馆 雷雨 传奇';

/** The courses of the second student's class: all of them end with a paper. */
export const LITERATURE = `
1a|基础|01|现代汉语（上）|Modern Chinese I|3|必修|考查|孟珂|1-16|1.3-4 4.3-4|文华楼-212|87
1a|基础|01|文献学基础|Foundations of Philology|2|必修|考查|严青|1-18|2.1-3|文华楼-420|84
1a|通识|01|大学英语（一）|College English I|2|必修|考查|Paul Roy|1-15/2|3.5-6|文华楼-117|91
1a|基础|01|古代文学史（一）|History of Ancient Literature I|3|必修|考查|沈澜|2-16/2|5.3-4 2.5-6|文华楼-115|83
1a|通识|01|中国通史|General History of China|3|选修|考查|耿直|1-2|3.1-2|文华楼-201|81
1a|研读|01|经典研读：《论语》|Classics Reading: The Analects|1|任选|考查|严青|1-2|4.7-8|文华楼-115|优秀
1b|基础|01|现代汉语（下）|Modern Chinese II|3|必修|考查|孟珂|1-16|1.3-4 4.3-4|文华楼-212|88
1b|实践|01|写作训练|Writing Workshop|2|必修|考查|卓玛|1-18|2.1-3|文华楼-309|86
1b|通识|01|大学英语（二）|College English II|2|必修|考查|Paul Roy|1-15/2|3.5-6|文华楼-117|90
1b|基础|01|古代文学史（二）|History of Ancient Literature II|3|必修|考查|沈澜|2-16/2|5.3-4 2.5-6|文华楼-115|85
1b|研读|01|经典研读：《孟子》|Classics Reading: Mencius|1|任选|考查|严青|1-2|4.7-8|文华楼-204|94
2a|基础|01|古代汉语（上）|Ancient Chinese I|3|必修|考查|严青|1-16|1.3-4 4.3-4|文华楼-119|89
2a|基础|01|语言学概论|Introduction to Linguistics|3|必修|考查|孟珂|1-18|2.1-3|文华楼-303|92
2a|通识|01|大学英语（三）|College English III|2|必修|考查|Paul Roy|1-15/2|3.5-6|文华楼-117|90
2a|核心|01|现代文学史|History of Modern Literature|3|必修|考查|韩雪|2-16/2|5.3-4 2.5-6|文华楼-415|84
2a|研读|01|经典研读：《庄子》|Classics Reading: Zhuangzi|1|任选|考查|严青|1-2|4.7-8|文华楼-301|88
2b|基础|01|古代汉语（下）|Ancient Chinese II|3|必修|考查|严青|1-16|1.3-4 4.3-4|文华楼-119|91
2b|实践|01|方言调查|Dialect Survey|2|必修|考查|孟珂|1-18|2.1-3|文华楼-404|优秀
2b|核心|01|当代文学史|History of Contemporary Literature|3|必修|考查|韩雪|1-15/2|3.5-6|文华楼-101|86
2b|通识|01|美学原理|Aesthetics|2|选修|考查|耿直|2-16/2|5.3-4 2.5-6|文华楼-318|85
2b|研读|01|经典研读：《史记》|Classics Reading: Records of the Grand Historian|1|任选|考查|耿直|1-2|4.7-8|文华楼-420|93
3a|核心|01|古代文学史（三）|History of Ancient Literature III|3|必修|考查|沈澜|1-16|1.3-4 4.3-4|文华楼-115|89
3a|核心|01|文学理论|Literary Theory|3|必修|考查|韩雪|1-18|2.1-3|文华楼-204|85
3a|核心|01|汉字学|Chinese Characters|2|必修|考查|孟珂|1-15/2|3.5-6|文华楼-411|90
3a|实践|01|古籍整理实习|Editing of Ancient Books|2|必修|考查|严青|2-16/2|5.3-4 2.5-6|文华楼-311|优秀
3a|研读|01|经典研读：《诗经》|Classics Reading: Book of Songs|1|任选|考查|沈澜|1-2|4.7-8|文华楼-309|95
3b|核心|01|古代文学史（四）|History of Ancient Literature IV|3|必修|考查|沈澜|1-16|1.3-4 4.3-4|文华楼-115|91
3b|核心|01|外国文学史|History of Foreign Literature|3|必修|考查|韩雪|1-18|2.1-3|文华楼-212|88
3b|核心|01|训诂学|Exegesis|2|必修|考查|严青|1-15/2|3.5-6|文华楼-101|87
3b|实践|01|民间文学采风|Folk Literature Field Work|2|选修|考查|卓玛|2-16/2|5.3-4 2.5-6|文华楼-103|良好
3b|研读|01|经典研读：《楚辞》|Classics Reading: Songs of Chu|1|任选|考查|沈澜|1-2|4.7-8|文华楼-311|92
3c|核心|01|比较文学|Comparative Literature|3|必修|考查|韩雪|1-16|1.3-4 4.3-4|文华楼-317|87
3c|通识|01|文物鉴赏|Appreciation of Antiquities|2|任选|考查|耿直|1-18|2.1-3|文华楼-410|良好
3c|研读|01|经典研读：《文心雕龙》|Classics Reading: Wenxin Diaolong|1|任选|考查|沈澜|1-2|4.7-8|文华楼-308|90
3c|实践|01|社会调查|Social Survey|2|必修|考查|卓玛|2-16/2|5.3-4 2.5-6|文华楼-302|优秀
4a|核心|01|语言与文化|Language and Culture|3|必修|考查|孟珂|1-16|1.3-4 4.3-4|文华楼-215|88
4a|核心|01|文学批评|Literary Criticism|3|必修|考查|韩雪|1-18|2.1-3|文华楼-411|90
4a|通识|01|书法|Calligraphy|2|任选|考查|耿直|1-15/2|3.5-6|文华楼-309|优秀
4a|实践|01|编辑出版实践|Editing and Publishing|2|必修|考查|卓玛|2-16/2|5.3-4 2.5-6|文华楼-210|良好
4a|研读|01|经典研读：《红楼梦》|Classics Reading: Dream of the Red Chamber|1|任选|考查|沈澜|1-2|4.7-8|文华楼-113|96
4b|核心|01|学术论文写作|Academic Writing|3|必修|考查|沈澜|1-16|1.3-4 4.3-4|文华楼-312|89
4b|核心|01|古文字学|Palaeography|3|选修|考查|孟珂|1-18|2.1-3|文华楼-101|86
4b|研读|01|经典研读：《文选》|Classics Reading: Wen Xuan|1|任选|考查|沈澜|1-2|4.7-8|文华楼-103|91
4b|实践|01|教育实习|Teaching Practice|4|必修|考查|卓玛|2-16/2|5.3-4 2.5-6|文华楼-406|优秀
4b|核心|01|毕业论文|Graduation Thesis|6|必修|考查|沈澜||||优秀
4c|通识|01|民俗学|Folklore|3|任选|考查|卓玛|1-16|1.3-4 4.3-4|文华楼-315|88
4c|通识|01|国学讲座|Lectures on Chinese Learning|2|任选|考查|耿直|1-18|2.1-3|文华楼-408|通过
4c|研读|01|经典研读：《世说新语》|Classics Reading: Shishuo Xinyu|1|任选|考查|耿直|1-2|4.7-8|文华楼-317|89
4c|实践|01|毕业教育实践|Graduation Seminar|2|必修|考查|严青|2-16/2|5.3-4 2.5-6|文华楼-312|合格
${BOOKS.split(' ')
  .map((book) => `-|研读|01|经典研读：《${book}》|Classics Reading|1|任选|考查|严青||||`)
  .join('\n')}
`;
