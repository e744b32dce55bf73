import { demandOf, isSame, noDemand, totalOf } from './demand.ts';

test('the one who looks closest decides how many layers there are, and anybody that it flows', () => {
  expect(totalOf([])).toEqual(noDemand);
  expect(
    totalOf([
      { flows: true, layers: 1 },
      { flows: false, layers: 3 },
    ]),
  ).toEqual({ flows: true, layers: 3 });
  expect(totalOf([{ flows: false, layers: 2 }, noDemand])).toEqual({ flows: false, layers: 2 });
});

test('two are the same in both parts or not at all', () => {
  expect(isSame(noDemand, { flows: false, layers: 0 })).toBe(true);
  expect(isSame(noDemand, { flows: true, layers: 0 })).toBe(false);
  expect(isSame({ flows: true, layers: 1 }, { flows: true, layers: 2 })).toBe(false);
});

test('what another node names stays within what there is', () => {
  expect(demandOf(true, 2, 3)).toEqual({ flows: true, layers: 2 });
  expect(demandOf(false, 1, 3)).toEqual({ flows: false, layers: 1 });
  expect(demandOf(true, 9, 3).layers).toBe(3);
  expect(demandOf(true, -4, 3).layers).toBe(1);
  expect(demandOf(false, 0, 3)).toEqual(noDemand);
});
