//! Words that tell what an object is: names, places, employers, occupations, languages.
//!
//! None of these lists is complete, nor need it be: what is not in them is not read.

/// Quotation marks, opening and closing.
pub const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('「', '」'), ('『', '』')];

/// Signs that no plain object has.
pub const SIGNS: &[char] = &[
    ',', ';', ':', '?', '!', '。', '、', '(', ')', '"', '“', '”', '「', '」', '…', '—', '\n', '[', ']', '{',
    '}', '=',
];

/// Chinese that joins a further clause, begins a list or speaks of the listener.
pub const CLAUSE_ZH: &[&str] = &[
    "的", "时", "了", "我", "你", "您", "他", "她", "它", "们", "用户", "但", "因为", "所以", "如果", "并",
    "而", "且", "或", "和", "与", "跟", "以及", "还有", "也", "就", "却", "被", "把", "让", "从", "在", "是",
    "吗", "呢", "吧", "什么", "谁", "哪", "怎", "以后", "以前", "之后", "之前", "后来", "然后", "除了",
    "除非", "只要", "只有", "虽然", "不过", "为了", "可能", "也许", "据说", "打算",
];

/// English that joins a further clause or begins a list.
pub const CLAUSE_EN: &[&str] = &[
    "and", "or", "but", "when", "whenever", "while", "because", "if", "unless", "until", "since", "although",
    "though", "so", "that", "which", "who", "whom", "whose", "where", "than", "as", "after", "before",
    "during", "without", "except", "then", "i", "me", "my", "you", "your", "he", "him", "his", "she", "her",
    "they", "them", "their", "we", "us", "our", "user", "user's", "not", "is", "are", "was", "were", "will",
    "would", "could", "should", "might", "may", "maybe", "perhaps", "probably", "what", "how", "why",
];

pub const ABBREVIATIONS: &[&str] = &[
    "st.", "mt.", "dr.", "mr.", "mrs.", "ms.", "inc.", "ltd.", "co.", "corp.",
];

/// Small words inside names.
pub const PARTICLES: &[&str] = &[
    "of", "de", "la", "le", "del", "da", "do", "am", "upon", "the", "van", "von", "der", "&",
];

/// Months and days are capitalised, and no places, employers or people.
pub const CALENDAR: &[&str] = &[
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
    "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas",
    "easter", "halloween", "thanksgiving", "spring", "summer", "autumn", "winter",
];

/// `May` is a month and a name; dates know it, names may have it.
pub const MONTHS: &[&[&str]] = &[
    &["january", "jan", "jan."], &["february", "feb", "feb."], &["march", "mar", "mar."],
    &["april", "apr", "apr."], &["may"], &["june", "jun"], &["july", "jul"], &["august", "aug", "aug."],
    &["september", "sep", "sept", "sept."], &["october", "oct", "oct."], &["november", "nov", "nov."],
    &["december", "dec", "dec."],
];

pub const HAN_DIGITS: &[&str] = &["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
pub const SMALL: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
pub const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
pub const UNITS: &[&str] = &[
    "", "cm", "m", "米", "厘米", "公分", "kg", "公斤", "千克", "斤", "kilograms", "lbs", "pounds",
    "centimeters",
];
pub const GENDERS: &[&str] = &[
    "男", "女", "男性", "女性", "male", "female", "man", "woman", "non-binary", "nonbinary",
];

/// What makes a Chinese thing a clause, a question or nothing at all.
pub const NOT_THING_ZH: &[&str] = &[
    "喜欢", "讨厌", "不", "没", "这", "那", "很多", "一切", "所有", "来", "因", "每次", "给", "搬", "住",
    "什么都", "严重", "轻微", "轻度", "要", "坏", "一个人",
];
pub const NOT_FIRST_ZH: &[char] = &['上', '得', '到', '过', '着', '对', '自'];
/// First words of English things that point elsewhere.
pub const NOT_FIRST_EN: &[&str] = &[
    "it", "this", "that", "these", "those", "one", "everything", "nothing", "something", "anything",
    "everyone", "everybody", "nobody", "up", "to be", "for", "in", "on", "at", "with", "about", "more",
    "most", "no", "being", "having", "someone", "both", "all", "another",
];
pub const NOT_THING_EN: &[&str] = &[
    "way", "idea", "there", "here", "things", "much", "more", "enough", "only", "every", "sometimes",
    "usually", "often", "like", "likes", "myself", "himself", "herself", "themselves", "itself", "yourself",
];
pub const DOING: &[char] = &['吃', '喝', '看', '听', '玩', '打', '读', '唱'];

/// Surnames, without those that mostly begin other words.
pub const SURNAMES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文韦";
pub const DOUBLE_SURNAMES: &[&str] = &[
    "欧阳", "司马", "上官", "诸葛", "司徒", "夏侯", "皇甫", "尉迟", "慕容", "令狐",
];
/// What follows a surname in an address.
pub const TITLES: &[&str] = &[
    "总", "工", "哥", "姐", "叔", "老师", "先生", "女士", "小姐", "经理", "医生", "教授", "主任", "阿姨",
    "博士", "律师", "同学", "师傅", "老板", "校长", "院长",
];
/// Words that begin like a person's name.
pub const NOT_PERSON: &[&str] = &[
    "小孩", "小狗", "小猫", "小区", "小学", "小说", "小时", "小吃", "小鸟", "小车", "小偷", "小气", "小心",
    "小众", "老人", "老师", "老板", "老家", "老婆", "老公", "老外", "老鼠", "老虎", "老实", "老爸", "老妈",
    "老大", "老乡", "老年", "老手", "阿姨", "高中", "高兴", "高级", "高手", "高管", "高考", "高血", "高铁",
    "周末", "周一", "周二", "周三", "周四", "周五", "周六", "周日", "周围", "周边", "夏天", "夏季", "白天",
    "白领", "白色", "白酒", "白羊", "马上", "马来", "马克", "马铃", "马拉", "金融", "金牛", "金鱼", "金毛",
    "金色", "方便", "方案", "方言", "方法", "石头", "石家", "任何", "任务", "常常", "许多", "于是", "余下",
    "文化", "文科", "文员", "文艺", "文学", "武汉", "武术", "江西", "江苏", "江南", "江湖", "田径", "龙虾",
    "龙井", "雷雨", "钱包", "汤圆", "毛衣", "毛巾", "孔雀", "康复", "史上", "熊猫", "叶子", "丁香", "丁克",
    "何时", "何处", "林业", "黄金", "黄瓜", "黄色", "黄油", "黄豆", "胡萝", "胡同", "朱古", "董事", "程序",
    "曾经", "苏州", "苏打", "温州", "郑州", "徐州", "常州", "唐山", "秦皇", "陆军", "罗马", "万一", "万事",
    "段子", "顾客", "顾问", "易怒", "乔迁", "张家", "李子", "杨梅", "梁山", "王后", "王子", "王者", "万科",
    "万达", "单身", "单亲", "高冷", "白痴", "孙子", "孙女", "曾祖", "于今", "史学", "江浙", "陆地", "钟表",
    "钟爱", "钱多", "贺岁", "龙年", "马年", "何等", "高大", "高高",
];
pub const NOT_LAST_OF_PERSON: &[char] = &['人', '座', '岁', '家', '族', '型', '派', '级', '迷', '控', '粉'];
pub const NOT_IN_NAME: &[char] = &[
    '在', '不', '是', '有', '的', '很', '也', '都', '会', '住', '喜', '爱', '叫', '和', '跟', '与', '对',
    '来', '去', '想', '要', '吃', '喝', '说', '做', '没', '又', '还', '已', '从', '向', '到', '给', '被',
    '把', '养', '讨', '厌', '这', '那', '哪', '什', '么', '搬', '讲', '今', '得', '个', '声', '着', '字',
];
pub const NOT_NAME_ZH: &[&str] = &[
    "保密", "未知", "秘密", "外卖", "滴滴", "名字", "姓名", "忘记", "随便", "假名", "好听", "奇怪", "父母",
    "爷爷", "奶奶", "妈妈", "爸爸", "英文", "中文", "救护", "出租", "隔壁", "唤", "声",
];
pub const NOT_NAME_EN: &[&str] = &[
    "he", "she", "it", "they", "we", "you", "i", "this", "that", "these", "those", "there", "here", "who",
    "what", "where", "when", "how", "why", "everyone", "everybody", "someone", "somebody", "nobody", "anyone",
    "anybody", "my", "your", "his", "her", "their", "our", "its", "the", "a", "an", "if", "while", "although",
    "because", "since", "unless", "one", "none", "no", "not", "unknown", "anonymous", "user", "assistant",
    "people", "parents", "mom", "dad", "mother", "father", "friends", "neighbors", "neighbours", "today",
    "tomorrow", "yesterday", "sometimes", "also", "now", "currently", "maybe", "perhaps", "often", "usually",
    "always", "never", "every", "some", "many", "most", "few", "all", "both", "neither", "either", "another",
    "other", "life", "work", "home", "school", "please", "let", "does", "do", "did", "is", "are", "was",
    "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must", "hidden",
    "secret", "once", "whoever", "nothing", "something", "everything", "only", "even", "former", "formerly",
    "previously", "and", "or", "but", "in", "on", "at", "for", "to", "of", "with", "from",
];
/// Capitalised, and said of people rather than naming them.
pub const TRAITS: &[&str] = &[
    "catholic", "christian", "jewish", "muslim", "buddhist", "hindu", "republican", "democrat", "ceo", "cto",
    "cfo", "coo", "vp", "brown", "black", "white", "aries", "taurus", "gemini", "leo", "virgo", "libra",
    "scorpio", "aquarius", "pisces", "intj", "intp", "enfp", "infp", "taken", "great", "nice", "mean",
    "awesome", "amazing", "mad", "pregnant", "angry", "sick", "busy", "retired", "dead", "kind", "strict",
    "single", "divorced", "happy", "sad", "fun",
];
pub const NAMES_LIKE_DEMONYMS: &[&str] = &[
    "ian", "brian", "bryan", "adrian", "vivian", "julian", "damian", "lilian", "lillian", "fabian",
    "sebastian", "gillian", "marian", "dorian",
];

/// Chinese places that come up: provinces, cities, countries.
pub const PLACES_ZH: &[&str] = &[
    "北京", "上海", "天津", "重庆", "广州", "深圳", "成都", "杭州", "南京", "武汉", "西安", "苏州", "郑州",
    "长沙", "青岛", "大连", "宁波", "厦门", "福州", "济南", "合肥", "昆明", "沈阳", "哈尔滨", "长春",
    "石家庄", "太原", "南昌", "南宁", "贵阳", "兰州", "西宁", "银川", "乌鲁木齐", "呼和浩特", "拉萨", "海口",
    "三亚", "无锡", "常州", "温州", "佛山", "东莞", "珠海", "中山", "惠州", "烟台", "徐州", "扬州", "绍兴",
    "嘉兴", "台北", "高雄", "台中", "台南", "香港", "澳门", "桂林", "洛阳", "开封", "泉州", "汕头", "保定",
    "唐山", "大理", "丽江", "绵阳", "宜昌", "四川", "广东", "江苏", "浙江", "山东", "河南", "河北", "湖南",
    "湖北", "福建", "安徽", "江西", "山西", "陕西", "甘肃", "青海", "云南", "贵州", "广西", "海南", "辽宁",
    "吉林", "黑龙江", "内蒙古", "新疆", "西藏", "宁夏", "台湾", "中国", "美国", "英国", "法国", "德国",
    "日本", "韩国", "加拿大", "澳大利亚", "新西兰", "新加坡", "马来西亚", "泰国", "越南", "印度", "俄罗斯",
    "意大利", "西班牙", "荷兰", "瑞士", "瑞典", "挪威", "丹麦", "芬兰", "巴西", "墨西哥", "阿根廷", "埃及",
    "土耳其", "希腊", "葡萄牙", "爱尔兰", "东京", "大阪", "京都", "首尔", "纽约", "旧金山", "洛杉矶",
    "西雅图", "波士顿", "芝加哥", "伦敦", "巴黎", "柏林", "慕尼黑", "罗马", "米兰", "马德里", "巴塞罗那",
    "悉尼", "墨尔本", "多伦多", "温哥华", "莫斯科", "迪拜", "曼谷", "硅谷", "维也纳", "苏黎世", "阿姆斯特丹",
    "浦东", "海淀", "朝阳", "南山", "武侯", "天府新区", "福田", "徐汇", "义乌", "昆山", "太仓", "张家港",
    "常熟", "江阴", "柳州", "赣州", "湛江", "襄阳", "邯郸", "镇江", "南通", "盐城", "泰州", "连云港", "淮安",
    "宿迁", "湖州", "金华", "台州", "丽水", "舟山", "衢州", "芜湖", "蚌埠", "安庆", "马鞍山", "黄山", "滁州",
    "阜阳", "莆田", "漳州", "龙岩", "宁德", "三明", "九江", "景德镇", "上饶", "吉安", "宜春", "淄博", "潍坊",
    "威海", "日照", "临沂", "泰安", "济宁", "德州", "聊城", "菏泽", "滨州", "东营", "枣庄", "新乡", "安阳",
    "许昌", "南阳", "商丘", "信阳", "焦作", "平顶山", "周口", "驻马店", "黄石", "十堰", "荆州", "荆门",
    "孝感", "黄冈", "咸宁", "恩施", "株洲", "湘潭", "衡阳", "岳阳", "常德", "张家界", "郴州", "永州", "怀化",
    "邵阳", "江门", "肇庆", "茂名", "梅州", "清远", "揭阳", "潮州", "韶关", "北海", "梧州", "玉林", "南充",
    "德阳", "乐山", "泸州", "宜宾", "自贡", "攀枝花", "达州", "遂宁", "内江", "眉山", "广元", "遵义",
    "六盘水", "安顺", "曲靖", "玉溪", "昭通", "西双版纳", "香格里拉", "咸阳", "宝鸡", "延安", "汉中", "榆林",
    "渭南", "天水", "酒泉", "敦煌", "大同", "运城", "临汾", "长治", "晋中", "鞍山", "抚顺", "锦州", "丹东",
    "营口", "盘锦", "四平", "延边", "齐齐哈尔", "大庆", "牡丹江", "佳木斯", "包头", "鄂尔多斯", "赤峰",
    "廊坊", "沧州", "邢台", "衡水", "承德", "张家口", "秦皇岛", "雄安", "喀什", "伊犁", "克拉玛依", "林芝",
    "日喀则", "新竹", "嘉义", "花莲", "名古屋", "横滨", "神户", "福冈", "札幌", "冲绳", "北海道", "釜山",
    "济州岛", "吉隆坡", "槟城", "雅加达", "马尼拉", "河内", "胡志明市", "新德里", "孟买", "华盛顿", "费城",
    "休斯顿", "达拉斯", "奥斯汀", "亚特兰大", "迈阿密", "拉斯维加斯", "圣何塞", "圣地亚哥", "夏威夷", "加州",
    "蒙特利尔", "渥太华", "卡尔加里", "堪培拉", "布里斯班", "珀斯", "奥克兰", "曼彻斯特", "爱丁堡", "利物浦",
    "剑桥", "牛津", "里昂", "马赛", "尼斯", "法兰克福", "汉堡", "科隆", "日内瓦", "布鲁塞尔", "哥本哈根",
    "斯德哥尔摩", "奥斯陆", "赫尔辛基", "都柏林", "里斯本", "雅典", "布拉格", "布达佩斯", "华沙", "圣彼得堡",
    "伊斯坦布尔", "开罗", "内罗毕", "开普敦", "约翰内斯堡", "圣保罗", "里约热内卢", "布宜诺斯艾利斯",
    "墨西哥城", "新加坡市", "欧洲", "非洲", "印度尼西亚", "菲律宾", "波兰", "奥地利", "比利时", "捷克",
    "匈牙利", "以色列", "沙特阿拉伯", "南非", "尼日利亚", "智利", "秘鲁", "哥伦比亚", "冰岛", "乌克兰",
];
pub const PLACES_EN: &[&str] = &[
    "beijing", "shanghai", "shenzhen", "guangzhou", "chengdu", "hangzhou", "hong kong", "taipei", "tokyo",
    "osaka", "seoul", "singapore", "london", "paris", "berlin", "munich", "hamburg", "madrid", "barcelona",
    "rome", "milan", "vienna", "zurich", "amsterdam", "brussels", "dublin", "lisbon", "oslo", "stockholm",
    "copenhagen", "helsinki", "moscow", "new york", "new york city", "nyc", "boston", "chicago", "seattle",
    "san francisco", "los angeles", "toronto", "vancouver", "sydney", "melbourne", "china", "japan", "korea",
    "germany", "france", "italy", "spain", "england", "uk", "usa", "us", "canada", "australia", "india",
    "europe", "asia", "america", "africa", "silicon valley", "texas", "california", "wuhan", "nanjing",
    "suzhou", "xi'an", "xian", "chongqing", "tianjin", "qingdao", "dalian", "xiamen", "sichuan", "guangdong",
    "taiwan", "macau", "kyoto", "yokohama", "busan", "bangkok", "hanoi", "ho chi minh city", "jakarta",
    "manila", "kuala lumpur", "delhi", "new delhi", "mumbai", "bangalore", "bengaluru", "hyderabad",
    "chennai", "pune", "dubai", "abu dhabi", "istanbul", "ankara", "cairo", "nairobi", "lagos", "cape town",
    "johannesburg", "tel aviv", "jerusalem", "athens", "prague", "budapest", "warsaw", "krakow", "bucharest",
    "kyiv", "saint petersburg", "st. petersburg", "riga", "tallinn", "vilnius", "cologne", "frankfurt",
    "stuttgart", "dresden", "leipzig", "geneva", "basel", "bern", "lyon", "marseille", "nice", "toulouse",
    "bordeaux", "rotterdam", "the hague", "antwerp", "porto", "seville", "valencia", "naples", "florence",
    "venice", "turin", "manchester", "birmingham", "liverpool", "edinburgh", "glasgow", "cambridge", "oxford",
    "bristol", "leeds", "cardiff", "belfast", "portland", "denver", "austin", "houston", "dallas",
    "san diego", "san jose", "phoenix", "atlanta", "miami", "orlando", "philadelphia", "washington",
    "washington dc", "baltimore", "detroit", "minneapolis", "st. louis", "nashville", "new orleans",
    "las vegas", "salt lake city", "honolulu", "hawaii", "florida", "oregon", "colorado", "michigan", "ohio",
    "virginia", "illinois", "massachusetts", "new jersey", "arizona", "georgia", "montreal", "ottawa",
    "calgary", "quebec", "brisbane", "perth", "adelaide", "canberra", "auckland", "wellington", "mexico city",
    "bogota", "lima", "santiago", "buenos aires", "sao paulo", "rio de janeiro", "brazil", "argentina",
    "chile", "peru", "colombia", "mexico", "portugal", "switzerland", "austria", "netherlands", "belgium",
    "sweden", "norway", "denmark", "finland", "iceland", "ireland", "scotland", "wales", "northern ireland",
    "united kingdom", "united states", "poland", "czechia", "hungary", "romania", "greece", "turkey",
    "russia", "ukraine", "israel", "egypt", "south africa", "kenya", "nigeria", "ethiopia", "morocco",
    "saudi arabia", "qatar", "uae", "pakistan", "bangladesh", "sri lanka", "nepal", "thailand", "vietnam",
    "malaysia", "indonesia", "philippines", "south korea", "new zealand", "bay area", "bavaria", "catalonia",
    "brooklyn", "manhattan", "queens",
];
/// Endings by which a longer place is known as one.
pub const PLACE_ENDS: &[char] = &['市', '区', '县', '镇', '乡', '村', '省', '州', '岛', '路', '街', '国'];
/// Endings that are cities and never employers.
pub const CITY_ENDS: &[char] = &['市', '区', '县', '镇', '乡', '村', '省', '州', '岛', '路', '街'];
pub const NOT_LAST_OF_PLACE: &[char] = &[
    '家', '楼', '层', '边', '旁', '房', '室', '里', '院', '校', '舍', '寓', '店', '年', '月', '久', '外',
    '内', '附', '近', '中', '心', '上', '下', '人', '头',
];
pub const NOT_IN_PLACE: &[char] = &[
    '我', '很', '不', '玩', '吃', '喝', '想', '要', '给', '陪', '带', '找', '养', '租', '挺', '太', '年',
    '久', '舒', '爱', '做', '写', '买', '卖', '读', '跑', '等', '第', '一', '两', '几', '每', '个', '间',
    '套', '座', '某', '最', '更', '对', '酒', '床', '车', '船', '网', '梦', '过', '到', '去',
];
pub const NOT_PLACE_ZH: &[&str] = &[
    "附近", "旁边", "宿舍", "公寓", "酒店", "学校", "公司", "单位", "医院", "家里", "老家", "父母", "爸妈",
    "朋友", "一起", "小区", "郊区", "市区", "城区", "市中心", "乡下", "农村", "山区", "社区", "国外", "海外",
    "外地", "外国", "本地", "当地", "南方", "北方", "城市", "县城", "城里", "地下", "别墅", "工作", "上班",
    "打工", "上学", "学习", "生活", "退休", "旅游", "出差", "开店", "喜欢", "觉得", "感觉", "习惯", "开心",
    "方便", "租房", "照顾", "三天", "两天", "多年", "校区", "异地", "同城", "单身", "岳父", "婆家", "娘家",
    "隔壁", "对面", "楼上", "楼下", "农场", "营地", "房车", "老城", "新城区", "学区", "景区", "战区", "园区",
    "同一", "人民", "祖国", "小镇", "小岛", "小村", "山村", "老街", "乡村", "古镇", "高档", "贫民", "富人",
    "安静", "热闹", "繁华", "偏远", "养老", "加班", "上网", "待命",
];
pub const NOT_PLACE_EN: &[&str] = &[
    "harmony", "hope", "fear", "peace", "poverty", "god", "jesus", "vim", "emacs", "excel", "linux",
    "unknown", "mom", "dad", "home", "vr", "it", "may", "mars", "paradise", "heaven", "hell", "minecraft",
];
/// Characters by which foreign names are written.
pub const TRANSLITERATION: &str = "阿埃艾安巴拜班贝本比彼宾波伯博布查达丹德迪蒂丁多俄恩尔法菲费佛弗夫福盖冈戈格哥根哈汉赫胡华霍基吉加迦杰卡凯坎康科克肯库拉莱兰郎劳勒雷利丽林卢鲁路伦罗洛马麦曼梅蒙米密摩莫墨姆穆纳尼讷宁纽努诺欧帕派佩皮普奇乔切萨塞桑瑟沙森什圣斯苏索塔泰坦特提图土托瓦万旺威维温文沃乌西希谢辛休叙雅亚扬耶伊宜因英尤约扎兹泽芝佐顿墩堡娜妮丝珊";

/// Well-known employers, which need no ending.
pub const ORGS_ZH: &[&str] = &[
    "腾讯", "阿里", "阿里巴巴", "字节", "字节跳动", "华为", "百度", "京东", "美团", "小米", "网易", "拼多多",
    "滴滴", "蚂蚁", "蚂蚁集团", "快手", "哔哩哔哩", "携程", "联想", "大疆", "比亚迪", "宁德时代", "中兴",
    "搜狐", "新浪", "微软", "谷歌", "苹果", "亚马逊", "特斯拉", "英特尔", "英伟达", "三星", "索尼", "丰田",
    "大众", "宝马", "西门子", "万科", "平安", "招行", "工行", "建行", "农行", "顺丰", "小红书", "知乎",
    "蔚来", "理想汽车", "小鹏", "富士康", "国家电网", "中石油", "中石化", "中国移动", "中国电信", "中国联通",
    "清华", "北大", "复旦", "浙大", "中科院", "新华社", "央视",
];
pub const ORG_ENDS: &[&str] = &[
    "公司", "集团", "银行", "大学", "学院", "医院", "中学", "小学", "研究院", "研究所", "科技", "证券",
    "保险", "出版社", "报社", "电视台", "事务所", "航空", "铁路局", "税务局", "公安局", "教育局", "实验室",
    "幼儿园",
];
pub const GENERIC_FRONTS: &[&str] = &[
    "互联网", "创业", "外贸", "科技公司", "国有", "本地", "私人", "跨国", "上市", "软件", "游戏", "广告",
    "律师", "会计师", "大型", "小型", "知名", "附近", "当地", "自己", "一家", "某", "三甲", "重点", "公立",
    "私立", "民营", "金融", "投资", "建筑", "食品", "物流", "咨询", "培训", "装修", "初创", "人工智能",
    "高科技", "人民", "市人民", "县人民", "新公司", "原公司", "这家", "国外", "普通",
];
pub const GENERIC_ORGS: &[&str] = &[
    "公司", "集团", "银行", "大学", "医院", "学校", "外企", "国企", "央企", "私企", "体制内", "政府", "部队",
    "家里",
];
pub const NOT_FIRST_OF_ORG: &[char] = &[
    '一', '家', '某', '这', '那', '自', '本', '每', '两', '几', '个', '别', '任',
];
pub const NOT_ORG_ZH: &[&str] = &[
    "工作", "上班", "不", "没", "健身", "俱乐部", "社团", "会员", "群", "线上", "远程", "晚上", "早上",
    "周末", "上午", "下午", "每天", "做", "当", "担任", "负责", "去", "到", "想", "要", "咖啡馆", "图书馆",
    "办公室", "工厂", "工地", "开心", "努力", "认真", "多年",
];
pub const NOT_ORG_EN: &[&str] = &[
    "reddit", "discord", "slack", "twitter", "instagram", "telegram", "wechat", "home", "night",
    "netflix prime", "unknown", "himself", "herself", "nato", "bob", "alice", "tom", "anna", "mary", "john",
    "jane", "lisa", "mensa", "toastmasters", "free", "fun", "icu", "wework", "mom", "dad",
];
/// Words of which one makes it no place: part of a building, or not of this world.
pub const NOT_IN_PLACE_EN: &[&str] = &[
    "building", "unit", "apartment", "apt", "room", "house", "basement", "team", "docs", "fear", "past",
    "future", "floor", "suburb", "suite", "block", "office", "hotel", "dorm", "hospital", "prison", "world",
    "era", "style", "mode",
];
/// What is joined by members, users and company rather than staff.
pub const JOINED: &[&str] = &[
    "reddit", "discord", "slack", "twitter", "instagram", "telegram", "wechat", "facebook", "linkedin",
    "github", "zoom", "stack overflow", "netflix", "spotify", "steam", "twitch", "tiktok", "youtube",
    "whatsapp", "mastodon", "bluesky", "tinder", "strava", "duolingo", "costco", "kickstarter", "patreon",
];
pub const GIVEN_NAMES: &[&str] = &[
    "alex", "alice", "anna", "ben", "bob", "charlie", "chris", "dan", "david", "emily", "emma", "eric", "eva",
    "frank", "george", "helen", "jack", "james", "jane", "jim", "joe", "john", "julia", "kate", "kevin",
    "laura", "leo", "lily", "lisa", "lucas", "lucy", "maria", "mark", "mary", "max", "mia", "michael", "mike",
    "nick", "olivia", "paul", "peter", "sam", "sara", "sarah", "sophie", "steve", "susan", "tom", "tim",
];
pub const CLUBS: &[&str] = &[
    "club", "gym", "band", "party", "church", "team", "choir", "league", "society", "association",
    "community", "server", "class",
];
pub const SCHOOLS_ZH: &[&str] = &[
    "清华", "北大", "复旦", "浙大", "上交", "南大", "武大", "中科大", "人大", "哈佛", "牛津", "剑桥",
    "麻省理工", "斯坦福",
];
pub const SCHOOL_ENDS: &[&str] = &[
    "大学", "学院", "中学", "小学", "一中", "二中", "附中", "高中", "理工", "师大",
];

/// What stands before an occupation.
pub const CLASSIFIERS: &[&str] = &["一名", "一位", "一个", "名", "位", "个"];
/// Endings of occupations.
pub const JOBS_ZH: &[&str] = &[
    "工程师", "程序员", "设计师", "架构师", "分析师", "咨询师", "会计师", "摄影师", "厨师", "美术师",
    "药剂师", "理发师", "培训师", "教师", "老师", "律师", "医师", "医生", "护士", "护士长", "牙医", "兽医",
    "学生", "大学生", "研究生", "博士生", "高中生", "作家", "画家", "音乐家", "科学家", "企业家", "投资人",
    "经纪人", "主持人", "歌手", "记者", "编辑", "开发者", "研究员", "公务员", "飞行员", "消防员", "快递员",
    "外卖员", "售货员", "服务员", "销售员", "教练", "运动员", "演员", "导演", "编剧", "模特", "翻译", "会计",
    "出纳", "秘书", "助理", "顾问", "产品经理", "项目经理", "销售经理", "经理", "总监", "主管", "教授",
    "讲师", "司机", "警察", "军人", "农民", "工人", "木匠", "电工", "保安", "保姆", "店长", "校长", "院长",
    "法官", "检察官", "交易员", "博主", "主播", "自由职业者", "家庭主妇", "全职妈妈", "客服", "文员", "运营",
    "销售", "裁缝", "司仪", "园丁", "导游", "空姐", "船长", "程序猿", "科研人员", "技术员", "CEO", "CTO",
    "HR",
];
pub const NOT_JOB_ZH: &[&str] = &[
    "的", "不", "退休", "未来", "优秀", "合格", "称职", "业余", "曾经", "前任", "想", "当过", "最", "很",
    "讨厌", "喜欢", "一家", "负责", "同一", "下一", "像", "新手", "兼",
];
pub const NOT_FIRST_OF_JOB: &[char] = &[
    '好', '坏', '笨', '个', '大', '小', '老', '名', '这', '那', '某', '原',
];
pub const JOBS_EN: &[&str] = &[
    "engineer", "developer", "programmer", "designer", "architect", "analyst", "scientist", "researcher",
    "teacher", "professor", "lecturer", "tutor", "doctor", "physician", "surgeon", "dentist", "nurse",
    "pharmacist", "therapist", "psychologist", "psychiatrist", "veterinarian", "vet", "paramedic", "lawyer",
    "attorney", "judge", "accountant", "auditor", "banker", "trader", "economist", "consultant", "manager",
    "director", "administrator", "secretary", "assistant", "recruiter", "salesperson", "salesman", "marketer",
    "journalist", "reporter", "editor", "writer", "author", "novelist", "translator", "interpreter",
    "librarian", "actor", "actress", "musician", "composer", "singer", "pianist", "painter", "photographer",
    "filmmaker", "chef", "cook", "baker", "barista", "bartender", "waiter", "waitress", "farmer", "gardener",
    "carpenter", "plumber", "electrician", "mechanic", "welder", "driver", "pilot", "sailor", "soldier",
    "officer", "firefighter", "policeman", "detective", "student", "intern", "freelancer", "entrepreneur",
    "technician", "mathematician", "physicist", "chemist", "biologist", "historian", "philosopher", "tailor",
    "hairdresser", "cashier", "receptionist", "coach", "ceo", "cto", "cfo", "realtor", "statistician",
    "streamer", "youtuber",
];
/// What makes an occupation a wish, a memory, a compliment or somebody else's.
pub const NOT_JOB_EN: &[&str] = &[
    "former", "ex", "retired", "aspiring", "future", "wannabe", "good", "great", "bad", "big", "terrible",
    "slow", "fast", "better", "best", "excellent", "amateur", "would-be", "the", "of", "at", "in", "for",
    "with", "to", "by", "from", "on", "same", "nervous", "careful", "safe", "home", "backseat", "self-taught",
    "hobby", "hobbyist", "previous", "once", "fictional", "budding", "talented", "decent", "fellow", "mere",
    "control", "lazy", "sweet", "shower", "worse", "lifelong", "first-time", "designated", "stay-at-home",
    "eternal", "perpetual", "born", "natural", "trained", "licensed", "certified",
];

/// Countries, as people are of them.
pub const COUNTRIES_ZH: &[&str] = &[
    "中国", "美国", "英国", "法国", "德国", "日本", "韩国", "朝鲜", "加拿大", "澳大利亚", "新西兰", "新加坡",
    "马来西亚", "泰国", "越南", "印度", "俄罗斯", "意大利", "西班牙", "荷兰", "瑞士", "瑞典", "挪威", "丹麦",
    "芬兰", "巴西", "墨西哥", "阿根廷", "埃及", "土耳其", "希腊", "葡萄牙", "爱尔兰", "波兰", "乌克兰",
    "奥地利", "比利时", "印度尼西亚", "菲律宾", "巴基斯坦", "伊朗", "以色列", "南非",
];
pub const DEMONYMS: &[&str] = &[
    "chinese", "american", "british", "english", "scottish", "welsh", "irish", "french", "german", "japanese",
    "korean", "canadian", "australian", "singaporean", "malaysian", "thai", "vietnamese", "indian", "russian",
    "italian", "spanish", "dutch", "swiss", "swedish", "norwegian", "danish", "finnish", "brazilian",
    "mexican", "argentinian", "egyptian", "turkish", "greek", "portuguese", "polish", "ukrainian", "austrian",
    "belgian", "indonesian", "filipino", "pakistani", "iranian", "israeli", "nigerian", "kenyan", "czech",
    "hungarian", "romanian", "taiwanese", "chilean", "colombian", "peruvian", "icelandic",
];

/// Languages without 语 or 文.
pub const DIALECTS: &[&str] = &[
    "普通话", "广东话", "上海话", "四川话", "客家话", "闽南话", "东北话", "潮汕话", "温州话", "国语", "白话",
];
pub const TONGUES: &[&str] = &[
    "中", "汉", "英", "法", "德", "日", "韩", "俄", "西班牙", "葡萄牙", "意大利", "阿拉伯", "粤", "闽南",
    "泰", "越南", "印地", "荷兰", "瑞典", "土耳其", "希腊", "拉丁", "西", "葡", "吴", "藏", "蒙古", "维吾尔",
    "手", "世界",
];
pub const LANGUAGES: &[&str] = &[
    "chinese", "mandarin", "mandarin chinese", "cantonese", "english", "french", "german", "japanese",
    "korean", "russian", "italian", "spanish", "portuguese", "dutch", "swedish", "norwegian", "danish",
    "finnish", "turkish", "greek", "polish", "ukrainian", "arabic", "hebrew", "hindi", "urdu", "bengali",
    "thai", "vietnamese", "indonesian", "malay", "tagalog", "czech", "hungarian", "romanian", "latin",
    "esperanto", "swahili", "farsi", "persian", "tamil", "catalan", "irish", "welsh", "sign language",
    "american sign language",
];
pub const LEVELS: &[&str] = &["fluent ", "native ", "basic ", "some ", "a little ", "good ", "perfect "];
pub const WELL: &[&str] = &[" fluently", " well", " natively", " a little"];

pub const PETS_ZH: &[&str] = &[
    "猫", "猫咪", "狗", "狗狗", "兔子", "仓鼠", "金鱼", "鹦鹉", "乌龟", "鸟", "蜥蜴", "柯基", "金毛",
    "哈士奇", "泰迪", "布偶", "边牧", "柴犬", "龙猫", "蛇", "刺猬",
];
pub const PET_FRONTS_ZH: &[&str] = &[
    "橘", "黑", "白", "小", "大", "布偶", "英短", "美短", "暹罗", "波斯", "花", "柴", "三花", "宠物", "荷兰",
    "小黑", "小白", "三只", "两只", "两条", "奶牛", "狸花",
];
pub const PETS_EN: &[&str] = &[
    "cat", "cats", "dog", "dogs", "puppy", "kitten", "rabbit", "rabbits", "hamster", "hamsters", "parrot",
    "turtle", "tortoise", "goldfish", "lizard", "snake", "horse", "corgi", "poodle", "labrador", "husky",
    "pet", "pets", "bunny", "canary", "ferret", "gecko", "retriever", "beagle", "bulldog",
];
pub const PET_FRONTS_EN: &[&str] = &[
    "two", "three", "four", "black", "white", "orange", "gray", "grey", "brown", "small", "big", "little",
    "old", "young", "golden", "tabby", "siamese", "persian", "rescue", "pet", "guinea", "french", "german",
    "border", "cute", "new", "no", "any",
];

/// Relatives and others who belong to somebody, and may be a subject themselves.
pub const KIN_ZH: &[&str] = &[
    "女朋友", "男朋友", "好朋友", "姐姐", "妹妹", "哥哥", "弟弟", "妈妈", "母亲", "爸爸", "父亲", "爷爷",
    "奶奶", "外公", "外婆", "叔叔", "阿姨", "舅舅", "姑姑", "表哥", "表姐", "表弟", "表妹", "堂哥", "堂姐",
    "堂弟", "堂妹", "妻子", "丈夫", "老婆", "老公", "太太", "爱人", "儿子", "女儿", "孩子", "女友", "男友",
    "朋友", "同事", "同学", "室友", "邻居", "老板", "上司", "老师", "经理", "主管", "岳父", "岳母", "公公",
    "婆婆",
];
pub const KIN_EN: &[&str] = &[
    "sister", "brother", "mother", "mom", "mum", "father", "dad", "grandmother", "grandma", "grandfather",
    "grandpa", "uncle", "aunt", "cousin", "wife", "husband", "spouse", "son", "daughter", "child",
    "girlfriend", "boyfriend", "partner", "friend", "colleague", "coworker", "roommate", "neighbor",
    "neighbour", "boss", "manager", "supervisor", "teacher", "nephew", "niece", "mother-in-law",
    "father-in-law", "sister-in-law", "brother-in-law", "fiance", "fiancee",
];
pub const KIN_FRONTS_EN: &[&str] = &[
    "older", "younger", "elder", "little", "big", "twin", "best", "eldest", "youngest", "oldest",
];
