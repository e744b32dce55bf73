import { ChaosHistory } from '../support/clients/ChaosHistory.ts';
import { ReceiptLedger } from '../support/clients/ReceiptLedger.ts';

let history: ChaosHistory;
let receipts: ReceiptLedger;

beforeEach(() => {
  history = new ChaosHistory();
  receipts = new ReceiptLedger(history);
});

const receiveCursor = (changeSeq: number, readSeq: number) =>
  receipts.receives('ben1', 'c1', 'ann', { changeSeq, readSeq });

it('reports nothing for cursors that advance, or for frames that overtook each other', () => {
  receipts.acknowledges('c1', 'ann', 5, 7);
  receiveCursor(4, 3);
  receiveCursor(7, 5);
  receiveCursor(6, 5);
  receipts.check('c1', [{ userId: 'ann', readSeq: 5 }]);
  expect(history.violations).toEqual([]);
});

it.each<[string, () => void, RegExp]>([
  ['an answer behind what was requested', () => receipts.acknowledges('c1', 'ann', 3, 2), /read up to 3 .* answered 2/],
  [
    'a cursor that moves back for one of the other people',
    () => [receiveCursor(4, 5), receiveCursor(7, 3)],
    /up to 5 of c1, and then 3/,
  ],
  [
    'a cursor that moves back although frames overtook each other',
    () => [receiveCursor(7, 3), receiveCursor(4, 5)],
    /up to 5 of c1, and then 3/,
  ],
  [
    'a cursor that ends behind what was acknowledged',
    () => {
      receipts.acknowledges('c1', 'ann', 5, 5);
      receipts.check('c1', [{ userId: 'ann', readSeq: 4 }]);
    },
    /ends having read up to 4 of c1, and 5 was acknowledged/,
  ],
])('finds %s', (_, act, expected) => {
  act();
  expect(history.violations.join('\n')).toMatch(expected);
});
