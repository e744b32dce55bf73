import { History } from '../support/history.ts';
import { ReceiptLedger } from '../support/ReceiptLedger.ts';

let history: History;
let receipts: ReceiptLedger;

beforeEach(() => {
  history = new History();
  receipts = new ReceiptLedger(history);
});

const tell = (changeSeq: number, readSeq: number) => receipts.tells('ben1', 'c1', 'ann', { changeSeq, readSeq });

it('has nothing to say of cursors that go on, or of frames that overtook each other', () => {
  receipts.acknowledges('c1', 'ann', 5, 7);
  tell(4, 3);
  tell(7, 5);
  tell(6, 5);
  receipts.check('c1', [{ userId: 'ann', readSeq: 5 }]);
  expect(history.violations).toEqual([]);
});

it.each<[string, () => void, RegExp]>([
  ['an answer behind what was asked', () => receipts.acknowledges('c1', 'ann', 3, 2), /read up to 3 .* answered 2/],
  ['a cursor that goes back before one of the others', () => [tell(4, 5), tell(7, 3)], /up to 5 of c1, and then 3/],
  ['the same where frames overtook each other', () => [tell(7, 3), tell(4, 5)], /up to 5 of c1, and then 3/],
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
