import { parseDemand, isSameDemand, noDemand, combineDemands } from './demand.ts';

test('the most demanding viewer sets the number of layers, and any viewer keeps media flowing', () => {
  expect(combineDemands([])).toEqual(noDemand);
  expect(
    combineDemands([
      { flows: true, layers: 1 },
      { flows: false, layers: 3 },
    ]),
  ).toEqual({ flows: true, layers: 3 });
  expect(combineDemands([{ flows: false, layers: 2 }, noDemand])).toEqual({ flows: false, layers: 2 });
});

test('two demands are equal only if both fields are', () => {
  expect(isSameDemand(noDemand, { flows: false, layers: 0 })).toBe(true);
  expect(isSameDemand(noDemand, { flows: true, layers: 0 })).toBe(false);
  expect(isSameDemand({ flows: true, layers: 1 }, { flows: true, layers: 2 })).toBe(false);
});

test('the layers another node names are clamped to those available', () => {
  expect(parseDemand(true, 2, 3)).toEqual({ flows: true, layers: 2 });
  expect(parseDemand(false, 1, 3)).toEqual({ flows: false, layers: 1 });
  expect(parseDemand(true, 9, 3).layers).toBe(3);
  expect(parseDemand(true, -4, 3).layers).toBe(1);
  expect(parseDemand(false, 0, 3)).toEqual(noDemand);
});
