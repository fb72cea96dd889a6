import { describe, expect, it } from "vitest";
import { gramCount, gramsOfAll, gramsOfPhrase, gramsOfSearch, searchedText } from "./searched-text.js";

const node = (title: string, body = "") => ({ id: "T-1", title, body });

describe("the text by which a node is found", () => {
  it("has its id, its title and its text, whatever their case", () => {
    expect(searchedText(node("Log In", "A Cookie"))).toBe("t-1 log in\na cookie");
  });

  it("has letters also as they are compared, where they can be written in several ways", () => {
    expect(searchedText(node("ﬁle", "x"))).toBe("t-1 ﬁle\nx\nfile\nx");
  });

  it("has one trigram less than two for each character, and none of two characters", () => {
    expect(["", "ab", "abc", "abcd", "🚀🚀🚀"].map(gramCount)).toEqual([0, 0, 1, 2, 1]);
  });
});

describe("what is asked of an index", () => {
  it("are the trigrams of a phrase, each once", () => {
    expect(gramsOfPhrase("aaaab")).toEqual([["aaa", "aab"]]);
  });

  it("is nothing below three characters: then every node is looked at", () => {
    expect([gramsOfPhrase("ab"), gramsOfAll(["ab", "x"]), gramsOfSearch("ab"), gramsOfSearch("x")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(gramsOfSearch("数据库")).toBeNull();
  });

  it("are the words of a search, or the phrase as it stands", () => {
    expect(gramsOfSearch("log the")).toEqual([["log"], ["log", "og ", "g t", " th", "the"]]);
    expect(gramsOfSearch("the")).toEqual([["the"]]);
  });

  it("are no more than narrow the search", () => {
    const long = Array.from({ length: 90 }, (_, i) => String.fromCharCode(0x4e00 + i)).join("");
    expect(gramsOfPhrase(long)?.[0]).toHaveLength(24);
    expect(gramsOfAll([long, "abc"])?.[0]).toHaveLength(24);
  });
});
