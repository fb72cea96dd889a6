import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut } from "./layout.js";

describe("layOut", () => {
  it("puts each task near what it waits for, lane by lane", () => {
    const placed = layOut({
      columns: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      laneOf: (nr) => (nr === 3 || nr === 6 ? 9 : null),
      edges: [
        [1, 5],
        [2, 4],
        [3, 4],
      ],
    });
    expect([...placed].map(([nr, { column, row }]) => [nr, column, row])).toEqual([
      [1, 0, 0],
      [2, 0, 1],
      [3, 0, 0],
      [4, 1, 1],
      [5, 1, 0],
      [6, 1, 0],
    ]);
  });

  it("gives every task of a lane and column a row of its own, without gaps", () => {
    const edge = fc.tuple(fc.nat(29), fc.nat(29));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (pairs, lanes) => {
        const columns = [0, 1, 2].map((column) => Array.from({ length: 10 }, (_, i) => column * 10 + i));
        const edges = pairs.filter(([from, to]) => Math.floor(from / 10) < Math.floor(to / 10));
        const placed = layOut({ columns, laneOf: (nr) => nr % lanes, edges });
        expect(placed.size).toBe(30);
        for (const column of columns) {
          for (let lane = 0; lane < lanes; lane++) {
            const rows = column.filter((nr) => nr % lanes === lane).map((nr) => placed.get(nr)?.row ?? -1);
            expect(rows.sort((a, b) => a - b)).toEqual(rows.map((_, i) => i));
          }
        }
      }),
    );
  });
});
