import { findClearTop } from './findClearTop.ts';

const phone = { left: 16, right: 374, top: 12, bottom: 844 };
const header = { left: 0, right: 390, top: 0, bottom: 64 };
const newest = { left: 0, right: 390, top: 90, bottom: 150 };
const composer = { left: 0, right: 390, top: 780, bottom: 844 };

test('a toast is below the header', () => {
  expect(findClearTop(70, phone, [header, composer])).toBe(72);
});

test('a toast is below the newest message of a short conversation', () => {
  expect(findClearTop(70, phone, [composer, newest, header])).toBe(158);
});

test('a toast fits between a header and a button further down', () => {
  const button = { left: 100, right: 200, top: 160, bottom: 200 };
  expect(findClearTop(70, phone, [button, header])).toBe(72);
});

test('elements outside the column do not move a toast', () => {
  const column = { left: 1000, right: 1416, top: 12, bottom: 900 };
  expect(findClearTop(70, column, [{ left: 0, right: 400, top: 0, bottom: 900 }])).toBe(12);
});

test('a toast that fits nowhere is at the top', () => {
  expect(findClearTop(70, phone, [{ left: 0, right: 390, top: 0, bottom: 844 }])).toBe(12);
});
