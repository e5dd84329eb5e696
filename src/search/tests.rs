//! The index through its public face.

use proptest::prelude::*;

use super::*;
use crate::memory::{BUILT_IN_MODEL, MemoryType, Vector};

fn memory(content: &str, vector: Option<Vector>) -> Arc<Memory> {
    Arc::new(Memory {
        memory_id: content.to_owned(),
        content: content.to_owned(),
        context: String::new(),
        created_at: String::new(),
        updated_at: String::new(),
        memory_type: MemoryType::Semantic,
        vector,
        governance: Default::default(),
    })
}

fn said(context: &str, time: &str, content: &str) -> Arc<Memory> {
    let memory = memory(content, None);
    Arc::new(Memory { context: context.to_owned(), created_at: time.to_owned(), ..(*memory).clone() })
}

fn index(memories: &[Arc<Memory>], model: Option<&str>) -> Index {
    let mut index = Index::new(model);
    index.update(memories);
    index
}

fn of(model: &str, values: &[f32]) -> Option<Vector> {
    Vector::new(model, vec![values.to_vec()])
}

#[track_caller]
fn check_words(query: &str, contents: &[&str], expected: &[usize]) {
    let memories: Vec<_> = contents.iter().map(|content| memory(content, None)).collect();
    let hits = index(&memories, None).search(&queries(query, None), 5);
    let places: Vec<usize> = hits.iter().map(|hit| hit.place).collect();
    assert_eq!(places, expected, "{query}");
}

#[test]
fn words_find_in_chinese_and_english() {
    let contents =
        ["用户对花生过敏", "The user lives in Chengdu", "用户喜欢龙井茶", "repo foo_bar is at v2.1.0"];
    check_words("我能吃花生吗", &contents, &[0]);
    check_words("what tea? 龙井", &contents, &[2]);
    check_words("CHENGDU weather", &contents, &[1]);
    check_words("ＣＨＥＮＧＤＵ", &contents, &[1]);
    check_words("對花生過敏", &contents, &[0]);
    check_words("who is living there", &contents, &[1]);
    check_words("v2.1.0", &contents, &[3]);
    check_words("bar", &contents, &[3]);
    check_words("花生", &[], &[]);
}

#[test]
fn what_asks_nothing_finds_nothing() {
    let contents = ["用户对花生过敏", "The user lives in Chengdu"];
    for query in ["  ", "?!", "zebra", "what is the", "你好", "\u{0}"] {
        check_words(query, &contents, &[]);
    }
}

#[test]
fn ties_go_to_the_first() {
    check_words("tea", &["tea", "tea", "tea"], &[0, 1, 2]);
}

#[test]
fn a_clear_hit_by_words_alone_passes_the_usual_gate() {
    for (query, contents) in [
        ("我能吃花生吗", vec!["用户叫张三", "用户对花生过敏，吃了会起疹子", "The user has a dog named Rex"]),
        (
            "what is my dog called",
            vec!["用户叫张三", "用户对花生过敏，吃了会起疹子", "The user has a dog named Rex"],
        ),
    ] {
        let memories: Vec<_> = contents.iter().map(|content| memory(content, None)).collect();
        let hits = index(&memories, None).search(&queries(query, None), 5);
        assert!(hits[0].relevance >= 0.4, "{query}: {hits:?}");
    }
}

#[test]
fn meaning_finds_what_words_do_not_and_the_other_way_round() {
    let memories = [
        memory("alpha", of("m", &[0.6, 0.8])),
        memory("beta", None),
        memory("gamma", of("m", &[-0.6, -0.8])),
        memory("delta", of("another", &[0.6, 0.8])),
    ];
    let mut asked = queries("beta", None);
    asked[0].vector = Some(vec![0.6, 0.8]);
    let hits = index(&memories, Some("m")).search(&asked, 5);
    let found: Vec<_> = hits.iter().map(|hit| (hit.place, hit.vector.is_some())).collect();
    assert_eq!(found.len(), 2, "{hits:?}");
    assert!(found.contains(&(0, true)) && found.contains(&(1, false)), "{hits:?}");
}

#[test]
fn vectors_of_another_model_or_length_wait_to_be_renewed() {
    let memories = [
        memory("same", of("m", &[1.0, 0.0])),
        memory("other", of("n", &[1.0, 0.0])),
        memory("none", None),
        memory("zero", of("m", &[0.0, 0.0])),
    ];
    let index = index(&memories, Some("m"));
    assert!(index.has_vectors());
    assert_eq!(index.without_vector().collect::<Vec<_>>(), [1, 2, 3]);
    assert!(!Index::new(None).has_vectors());
}

#[test]
fn an_untagged_vector_that_is_not_of_the_built_in_model_is_known_for_it() {
    let foreign: Vec<f32> = (0..384u16).map(|place| if place % 2 == 0 { 0.05 } else { -0.05 }).collect();
    let index = index(&[memory("x", of(BUILT_IN_MODEL, &foreign))], Some(BUILT_IN_MODEL));
    assert_eq!(index.without_vector().count(), 1);
}

#[test]
fn the_best_part_of_a_long_memory_counts() {
    let parts = Vector::new("m", vec![vec![0.0, 1.0], vec![1.0, 0.0]]);
    let memories = [memory("long", parts), memory("short", of("m", &[0.8, 0.6]))];
    let mut asked = queries("zzz", None);
    asked[0].vector = Some(vec![1.0, 0.0]);
    let hits = index(&memories, Some("m")).search(&asked, 5);
    assert_eq!(hits[0].place, 0, "{hits:?}");
}

#[test]
fn memories_of_one_sitting_help_each_other() {
    let memories = [
        said("trip", "2026-01-01T10:00:00", "We leave on Friday"),
        said("trip", "2026-01-05T10:00:00", "Bring the tickets"),
        said("trip", "2026-01-05T10:01:00", "The museum opens at nine"),
        said("work", "2026-01-05T10:00:30", "Bring the laptop"),
        said("", "", "Bring the umbrella"),
    ];
    let hits = index(&memories, None).search(&queries("museum tickets", None), 5);
    assert_eq!(hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), [1, 2], "{hits:?}");
    let alone = index(&memories[1..2], None).search(&queries("museum tickets", None), 5);
    assert!(hits[0].relevance > alone[0].relevance, "{hits:?} {alone:?}");
}

#[test]
fn an_index_grows_and_is_built_anew() {
    let (a, b, c) = (memory("apple", None), memory("banana", None), memory("cherry", None));
    let mut index = index(&[Arc::clone(&a)], None);
    let find = |index: &Index, query: &str| -> Vec<String> {
        let hits = index.search(&queries(query, None), 5);
        hits.iter().map(|hit| index.memories()[hit.place].content.clone()).collect()
    };
    index.update(&[Arc::clone(&a), Arc::clone(&b)]);
    assert_eq!(find(&index, "banana"), ["banana"]);
    index.update(&[Arc::clone(&c), Arc::clone(&b)]);
    assert_eq!(find(&index, "apple"), Vec::<String>::new());
    assert_eq!(find(&index, "cherry"), ["cherry"]);
    index.update(&[]);
    assert_eq!(find(&index, "banana"), Vec::<String>::new());
}

#[test]
fn a_memory_that_gets_a_vector_is_found_by_it() {
    let mut index = index(&[memory("apple", None), memory("banana", None)], Some("m"));
    assert_eq!(index.without_vector().count(), 2);
    index.update(&[memory("apple", None), memory("banana", of("m", &[1.0, 0.0]))]);
    assert_eq!(index.without_vector().collect::<Vec<_>>(), [0]);
    let mut asked = queries("zzz", None);
    asked[0].vector = Some(vec![1.0, 0.0]);
    assert_eq!(index.search(&asked, 5)[0].place, 1);
}

#[track_caller]
fn check_queries(message: &str, before: Option<&str>, expected: &[&str]) {
    let found = queries(message, before);
    assert_eq!(found.iter().map(|query| query.text.as_str()).collect::<Vec<_>>(), expected, "{message}");
}

#[test]
fn a_message_asks_as_a_whole_and_by_its_sentences() {
    check_queries(
        "我表哥是干啥的？另外，我去的景区是哪里？",
        None,
        &["我表哥是干啥的？另外，我去的景区是哪里？", "我表哥是干啥的", "另外，我去的景区是哪里"],
    );
    check_queries(
        "Friends are coming over. What can I cook?",
        None,
        &["Friends are coming over. What can I cook?", "Friends are coming over", "What can I cook"],
    );
    for whole in ["Did Dr. No live in the U.S. in v2.1?", "hi!", "你好。", ""] {
        check_queries(whole, None, &[whole]);
    }
    assert_eq!(queries(&"One more question? ".repeat(50), None).len(), 1 + SENTENCE_LIMIT);
}

#[test]
fn a_follow_up_leans_on_the_message_before() {
    check_queries("那她呢？", Some("我爸爸什么时候生日"), &["那她呢？", "我爸爸什么时候生日\n那她呢？"]);
    check_queries(
        "and her?",
        Some("when is dad's birthday"),
        &["and her?", "when is dad's birthday\nand her?"],
    );
    let whole = "which restaurant in Lisbon did my sister recommend last summer";
    check_queries(whole, Some("when is dad's birthday"), &[whole]);
    let memories = [memory("Mum was born on 3 May", None), memory("likes tea", None)];
    let index = index(&memories, None);
    let alone = index.search(&queries("and her?", None), 5);
    let leaning = index.search(&queries("and her?", Some("when was mum born")), 5);
    assert_eq!((alone.len(), leaning.len()), (0, 1));
    let direct = index.search(&queries("when was mum born", None), 5);
    assert!(leaning[0].relevance < direct[0].relevance, "{leaning:?} {direct:?}");
}

proptest! {
    #[test]
    fn relevance_is_a_share_and_the_order_is_that_of_relevance(
        query in ".{0,20}",
        contents in proptest::collection::vec(".{0,30}", 0..8),
        limit in 0usize..9,
    ) {
        let memories: Vec<_> = contents.iter().map(|content| memory(content, None)).collect();
        let hits = index(&memories, None).search(&queries(&query, None), limit);
        prop_assert!(hits.len() <= limit);
        for hit in &hits {
            prop_assert!(hit.relevance > 0.0 && hit.relevance < 1.0);
        }
        for pair in hits.windows(2) {
            let in_order = pair[0].relevance > pair[1].relevance
                || (pair[0].relevance == pair[1].relevance && pair[0].place < pair[1].place);
            prop_assert!(in_order);
        }
    }
}

#[test]
fn what_is_weighed_moves_near_equals_and_hides_what_has_no_weight() {
    let memories = [memory("green tea", None), memory("green tea", None), memory("green tea", None)];
    let weigh = |of: &'static [Option<f64>; 3]| {
        let index = index(&memories, None);
        let place = |memory: &Memory| memories.iter().position(|other| std::ptr::eq(other.as_ref(), memory));
        let weigh = |memory: &Memory| of[place(memory).unwrap_or_default()];
        let beside = Beside { lifts: &HashMap::new(), weigh: &weigh, most: 1.15 };
        let hits = index.listen(&queries("green tea", None)).hits(2, &beside);
        hits.iter().map(|hit| hit.place).collect::<Vec<_>>()
    };
    assert_eq!(weigh(&[Some(1.0), Some(1.0), Some(1.0)]), [0, 1]);
    assert_eq!(weigh(&[Some(1.0), Some(1.0), Some(1.15)]), [2, 0]);
    assert_eq!(weigh(&[None, Some(1.0), Some(1.1)]), [2, 1]);
}

#[test]
fn evidence_from_elsewhere_is_added_before_anything_is_left_out() {
    let memories = [memory("green tea", None), memory("slow boats", None)];
    let index = index(&memories, None);
    let lifts = HashMap::from([(1, 9.0)]);
    let beside = Beside { lifts: &lifts, weigh: &|_| Some(1.0), most: 1.0 };
    let hits = index.listen(&queries("green tea", None)).hits(5, &beside);
    assert_eq!(hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), [1, 0]);
    assert!(hits[0].lift > 0.0 && hits[1].lift == 0.0);
}
