import { readPayPalOrderRequest, parseMinorUnits } from './payPalOrder.ts';

it.each([
  ['7.00', 700],
  ['7', 700],
  [7, 700],
  [2.5, 250],
  ['0.05', 5],
  [' 12.3 ', 1_230],
  ['7.001', undefined],
  ['-7', undefined],
  ['7,00', undefined],
  ['1e3', undefined],
  [Number.NaN, undefined],
  ['', undefined],
])('%j is %s in minor units', (amount, minor) => {
  expect(parseMinorUnits(amount)).toBe(minor);
});

const orderRequest = { intent: 'CAPTURE', amount: '7.00', currency: 'USD', custom_id: 'plus' };
const codeOf = (more: object): string => {
  try {
    readPayPalOrderRequest({ ...orderRequest, ...more });
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('reads the item and currency, and passes on the amount for comparison', () => {
  expect(readPayPalOrderRequest(orderRequest)).toEqual({ item: 'plus', currency: 'USD', expectedMinor: 700 });
  expect(readPayPalOrderRequest({ ...orderRequest, intent: 'capture', currency: 'eur', amount: 6 })).toEqual({
    item: 'plus',
    currency: 'EUR',
    expectedMinor: 600,
  });
});

it.each([
  [{ custom_id: 'plus_0190a5f4_monthly' }, 'plus'],
  [{ custom_id: '{"plan":"business","userId":"1"}' }, 'business'],
  [{ custom_id: '42', description: 'Nolo Plus, monthly' }, 'plus'],
  [{ custom_id: '', description: 'Transcription pack' }, 'transcription'],
])('finds the item in %j', (words, item) => {
  expect(readPayPalOrderRequest({ ...orderRequest, ...words }).item).toBe(item);
});

it('accepts the displayed price if PayPal does not settle the currency', () => {
  const naira = readPayPalOrderRequest({ ...orderRequest, currency: 'NGN', amount: '3200' });
  expect(naira).toEqual({ item: 'plus', currency: 'NGN', expectedMinor: undefined });
});

it.each([
  [{ currency: 'NGN', amount: '7.00' }, 'amount_mismatch'],
  [{ amount: 'seven' }, 'amount_mismatch'],
  [{ currency: 'ZAR' }, 'currency_unsupported'],
  [{ currency: 'XAU' }, 'currency_unsupported'],
  [{ custom_id: '', description: '' }, 'item_unknown'],
  [{ custom_id: 'plus or business' }, 'item_unknown'],
  [{ intent: 'AUTHORIZE' }, 'invalid_input'],
])('refuses %j as %s', (more, code) => {
  expect(codeOf(more)).toBe(code);
});
