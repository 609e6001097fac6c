/** The courses of the first student's class, as `courseTable` reads them. After the last term: courses never chosen. */
export const COMPUTING = `
1a|数理|04|高等数学（上）|Advanced Mathematics I|5|必修|考试|唐宁|1-18|1.1-2 3.1-2|致知楼-102|88
1a|实践|05|程序设计实验|Programming Laboratory|1|必修|考查|高远|1-16|2.3-4|致知楼-机房1|优秀
1a|思政|03|形势与政策（一）|Situation and Policy I|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|90
1a|思政|01|思想道德与法治|Ideology, Morality and Law|3|必修|考试|梁秋|1-16|1.3-4 4.3-4|格物楼-303|87
1a|外语|05|大学英语（一）|College English I|2|必修|考试|Anna Weiss|1-12|2.1-2|致知楼-214|84
1a|核心|04|程序设计基础|Programming Fundamentals|3|必修|考试|高远,苏岩|2-18/2|3.5-6 5.1-2|致知楼-302|93
1a|体育|02|体育（一）|Physical Education I|1|必修|考查|马腾|3-14|4.1-2|体育馆-4号场|良好
1b|数理|05|高等数学（下）|Advanced Mathematics II|5|必修|考试|唐宁|1-18|1.1-2 3.1-2|致知楼-102|82
1b|实践|04|面向对象程序设计实验|Object-Oriented Programming Laboratory|1|必修|考查|苏岩|1-16|2.3-4|致知楼-机房4|优秀
1b|思政|04|形势与政策（二）|Situation and Policy II|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|86
1b|数理|04|线性代数(B)|Linear Algebra B|2.5|必修|考试|何岩|1-16|1.3-4|明理楼-314|52//63
1b|外语|04|大学英语（二）|College English II|2|必修|考试|Anna Weiss|1-12|2.1-2|致知楼-214|81
1b|数理|04|离散数学|Discrete Mathematics|3|必修|考试|唐宁|2-18/2|3.5-6 5.1-2|格物楼-414|78
1b|体育|03|体育（二）|Physical Education II|1|必修|考查|任远|3-14|4.1-2|体育馆-4号场|良好
1c|思政|01|军事理论|Military Theory|2|必修|考查|罗成|1-18|1.1-2|致知楼-214|86
1c|实践|05|军事技能|Military Training|2|必修|考查|罗成|1-16|2.3-4|致知楼-机房3|合格
2a|核心|04|数据结构|Data Structures|4|必修|考试|林默,Anna Weiss|1-18|1.1-2 3.1-2|明理楼-311|91
2a|实践|04|数据结构实验|Data Structures Laboratory|1|必修|考查|林默|1-16|2.3-4|致知楼-机房5|优秀
2a|思政|03|形势与政策（三）|Situation and Policy III|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|88
2a|数理|02|概率论与数理统计|Probability and Statistics|3|必修|考试|何岩|1-16|1.3-4 4.3-4|致知楼-303|48//55
2a|外语|02|大学英语（三）|College English III|2|必修|考试|Anna Weiss|1-12|2.1-2|致知楼-214|79
2a|核心|04|数字逻辑|Digital Logic|2.5|必修|考试|方瑜|2-18/2|3.5-6|格物楼-412|83
2a|体育|02|体育（三）|Physical Education III|1|必修|考查|马腾|3-14|4.1-2|体育馆-4号场|优秀
2a|辅修|05|法理学|Jurisprudence|3|必修|考试|祝平|1-16|2.5-6|格物楼-312|78
2b|核心|03|计算机组成原理|Computer Organization|4|必修|考试|方瑜|1-18|1.1-2 3.1-2|格物楼-316|86
2b|实践|05|组成原理实验|Computer Organization Laboratory|1|必修|考查|方瑜|1-16|2.3-4|致知楼-机房2|良好
2b|思政|03|形势与政策（四）|Situation and Policy IV|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|91
2b|数理|04|大学物理|College Physics|4|必修|考试|秦放|1-16|1.3-4 4.3-4|致知楼-314|45/66/
2b|外语|03|大学英语（四）|College English IV|2|必修|考试|Anna Weiss|1-12|2.1-2|致知楼-214|77
2b|选修|04|C++程序设计|C++ Programming|3|选修|考试|苏岩|2-18/2|3.5-6 5.1-2|致知楼-404|95
2b|体育|04|体育（四）|Physical Education IV|1|必修|考查|任远|3-14|4.1-2|体育馆-4号场|良好
2b|辅修|05|宪法学|Constitutional Law|3|必修|考试|祝平|1-16|2.5-6|格物楼-410|81
2c|外语|03|学术英语|English for Academic Purposes|1|任选|考查|Anna Weiss|1-18|1.1-2|格物楼-204|85
2c|实践|03|工程训练|Engineering Training|2|必修|考查|罗成|1-16|2.3-4|致知楼-机房4|良好
3a|核心|05|操作系统|Operating Systems|4|必修|考试|徐航|1-18|1.1-2 3.1-2|明理楼-405|87
3a|实践|02|操作系统实验|Operating Systems Laboratory|1|必修|考查|徐航|1-16|2.3-4|致知楼-机房3|优秀
3a|思政|05|形势与政策（五）|Situation and Policy V|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|89
3a|核心|02|数据库系统|Database Systems|4|必修|考试|陈立,高远,苏岩|1-16|1.3-4 4.3-4|明理楼-403|89
3a|核心|02|软件工程导论|Introduction to Software Engineering|3|必修|考查|许静|1-12|2.1-2|格物楼-201|优秀
3a|核心|02|计算机网络|Computer Networks|3.5|必修|考试|方瑜|2-18/2|3.5-6 5.1-2|致知楼-315|91.5
3a|美育|04|影视鉴赏|Film Appreciation|1.5|任选|考查|沈若|3-14|4.1-2|致知楼-104|通过
3a|辅修|03|民法学|Civil Law|4|必修|考试|祝平|1-16|2.5-6|格物楼-411|75
3b|核心|03|编译原理|Compilers|3.5|必修|考试|周明,许静|1-18|1.1-2 3.1-2|致知楼-209|87
3b|实践|05|数据库课程设计|Database Course Project|1|必修|考查|陈立|1-16|2.3-4|致知楼-机房2|优秀
3b|思政|03|形势与政策（六）|Situation and Policy VI|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|92
3b|核心|04|算法设计与分析|Design and Analysis of Algorithms|3|必修|考试|林默|1-16|1.3-4 4.3-4|格物楼-105|92
3b|选修|03|计算机图形学|Computer Graphics|2.5|选修|考试|白露|1-12|2.1-2|致知楼-112|80
3b|选修|02|人工智能导论|Introduction to Artificial Intelligence|3|选修|考试|白露|2-18/2|3.5-6 5.1-2|格物楼-406|85
3b|体育|01|体育（五）|Physical Education V|1|任选|考查|马腾|3-14|4.1-2|体育馆-4号场|良好
3b|辅修|05|刑法学|Criminal Law|4|必修|考试|祝平|1-16|2.5-6|明理楼-314|72
3b|实践|02|社会实践|Social Practice|1|必修|考查|罗成||||合格
3c|选修|01|云计算技术|Cloud Computing|2|选修|考试|白露|1-18|1.1-2|明理楼-313|83
3c|实践|05|软件综合实训|Software Project Training|2|必修|考查|许静|1-16|2.3-4|致知楼-机房1|优秀
3c|思政|03|职业生涯规划|Career Planning|0.5|必修|考查+|何欣|1-2|5.3-4|明理楼-109|88
3c|选修|02|网络编程|Network Programming|2|选修|考试|方瑜|1-16|1.3-4|致知楼-115|84
3c|外语|01|科技写作|Scientific Writing|1|任选|考查|Anna Weiss|1-12|2.1-2|明理楼-412|良好
3c|实践|02|企业见习|Company Visits|1|必修|考查|高远|2-18/2|3.5-6|致知楼-机房4|合格
4a|核心|05|信息安全|Information Security|3|必修|考试|徐航|1-18|1.1-2 3.1-2|致知楼-312|86
4a|实践|02|网络安全实验|Network Security Laboratory|1|必修|考查|徐航|1-16|2.3-4|致知楼-机房4|良好
4a|思政|04|形势与政策（七）|Situation and Policy VII|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|90
4a|选修|02|机器学习|Machine Learning|3|选修|考试|白露|1-16|1.3-4 4.3-4|明理楼-313|90
4a|选修|04|分布式系统|Distributed Systems|2.5|选修|考试|陈立|1-12|2.1-2|明理楼-201|84
4a|核心|02|软件测试|Software Testing|2.5|必修|考试|许静|2-18/2|3.5-6|格物楼-305|88
4a|选修|02|科技文献检索|Literature Retrieval|1|任选|考查|沈若|3-14|4.1-2|格物楼-416|通过
4a|辅修|04|国际法|International Law|3|必修|考试|祝平|1-16|2.5-6|格物楼-101|76
4b|选修|03|软件项目管理|Software Project Management|2|选修|考试|许静|1-18|1.1-2|格物楼-408|87
4b|实践|04|毕业实习|Graduation Internship|4|必修|考查|高远|1-16|2.3-4|致知楼-机房4|优秀
4b|思政|04|形势与政策（八）|Situation and Policy VIII|0.5|必修|考查+|何欣|1-2|5.3-4|格物楼-316|93
4b|选修|04|自然语言处理|Natural Language Processing|3|选修|考试|白露|1-16|1.3-4 4.3-4|明理楼-314|89
4b|选修|05|前沿技术讲座|Frontiers of Computing|1|选修|考查|周明|1-12|2.1-2|格物楼-212|通过
4b|辅修|05|知识产权法|Intellectual Property Law|3|必修|考试|祝平|2-18/2|3.5-6 5.1-2|明理楼-104|79
4b|实践|01|毕业设计|Graduation Project|8|必修|考查|周明||||优秀
4c|选修|05|工程伦理|Engineering Ethics|1|选修|考试|梁秋|1-18|1.1-2|格物楼-413|82
4c|实践|01|毕业教育实践|Graduation Seminar|1|必修|考查|罗成|1-16|2.3-4|致知楼-机房1|合格
4c|思政|02|就业指导|Career Guidance|0.5|必修|考查+|何欣|1-2|5.3-4|明理楼-114|91
4c|选修|01|知识产权概论|Introduction to Intellectual Property|2|任选|考试|祝平|1-16|1.3-4|明理楼-408|80
4c|选修|02|创新创业基础|Innovation and Entrepreneurship|2|任选|考查|许静|1-12|2.1-2|致知楼-202|良好
4c|美育|03|校园歌咏|Choral Singing|1|任选|考查|沈若|2-18/2|3.5-6|致知楼-404|通过
-|选修|01|数字图像处理|Digital Image Processing|2.5|选修|考试|白露||||
-|选修|01|嵌入式系统|Embedded Systems|2.5|选修|考试|方瑜||||
-|选修|01|密码学|Cryptography|2|选修|考试|徐航||||
-|选修|01|并行计算|Parallel Computing|2|选修|考试|陈立||||
-|选修|01|量子计算导论|Introduction to Quantum Computing|2|选修|考试|秦放||||
-|选修|01|人机交互|Human-Computer Interaction|2|选修|考查|白露||||
-|美育|01|音乐鉴赏|Music Appreciation|1.5|任选|考查|沈若||||
-|美育|01|书法|Calligraphy|1.5|任选|考查|沈若||||
-|辅修|01|行政法学|Administrative Law|3|必修|考试|祝平||||
-|辅修|01|诉讼法学|Procedural Law|4|必修|考试|祝平||||
`;
