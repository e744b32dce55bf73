import type { Billing } from '@nolo/api';
import { currencies, planIds, prices } from '@nolo/rules';
import { createCurrencyChoice, currencyStorageKey } from './currencyChoice.ts';
import { isNotifiedOnce, readReachedLimit } from './reachedLimit.ts';
import { toMinorUnits, formatMoneyText } from './money.ts';
import { getPollIntervalMs, longWaitMs, toOrderProgress } from './orderProgress.ts';
import { listPlanFeatures, initialFeatureCount } from './planFeatures.ts';
import { getPlanAfterPeriod, toPlanOffer, describePlanOutlook } from './standing.ts';
import { computeTotal } from './total.ts';

const everything = { social: true, transcription: true };

const billing = (overrides: Partial<Billing>): Billing => ({
  plan: 'free',
  status: 'none',
  source: 'none',
  periodEndsAt: null,
  graceEndsAt: null,
  nextPlan: null,
  seats: null,
  addOns: [],
  limits: [],
  month: '2026-11',
  monthEndsAt: null,
  credit: null,
  currencies: [],
  seatOffered: false,
  operator: false,
  ...overrides,
});
const owned = (overrides: Partial<Billing>) =>
  billing({ source: 'own', status: 'active', periodEndsAt: '2026-12-20T10:00:00Z', ...overrides });

function memory(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
  };
}

describe('the currency', () => {
  test.each([
    ['Africa/Johannesburg', 'ZAR'],
    ['Africa/Lagos', 'NGN'],
    ['Africa/Nairobi', 'KES'],
    ['Africa/Accra', 'GHS'],
    ['Europe/London', 'GBP'],
    ['Europe/Berlin', 'EUR'],
    ['America/New_York', 'USD'],
    ['America/Los_Angeles', 'USD'],
    ['Asia/Tokyo', 'ZAR'],
  ])('is that of the time zone %s at first: %s', (zone, currency) => {
    expect(createCurrencyChoice(memory(), zone).getState().currency).toBe(currency);
  });

  test('is remembered once chosen, and an invalid value is ignored', () => {
    const device = memory();
    createCurrencyChoice(device, 'Africa/Lagos').getState().choose('CAD');
    expect(createCurrencyChoice(device, 'Africa/Lagos').getState().currency).toBe('CAD');
    device.kept[currencyStorageKey] = 'XXX';
    expect(createCurrencyChoice(device, 'Africa/Lagos').getState().currency).toBe('NGN');
  });

  test('can be chosen for the page load if the device stores nothing', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    const choice = createCurrencyChoice(full, 'Africa/Lagos');
    choice.getState().choose('EUR');
    expect(choice.getState().currency).toBe('EUR');
  });
});

test('amounts have two decimals in every currency, and input is read as minor units or rejected', () => {
  expect(formatMoneyText(12_900, 'ZAR', 'en-US')).toMatch(/129\.00$/);
  for (const currency of currencies) expect(formatMoneyText(1, currency, 'en')).toMatch(/0\.01$/);
  expect(toMinorUnits('12.5')).toBe(1_250);
  expect(toMinorUnits(' 129,00 ')).toBe(12_900);
  for (const wrong of ['', '-1', '1.234', 'ten', '1e3', '1 000']) expect(toMinorUnits(wrong)).toBeUndefined();
});

describe('the features of a plan', () => {
  test('have the limits that the server holds', () => {
    expect(listPlanFeatures('free', everything)).toEqual([
      { name: 'chatsAndCalls' },
      { name: 'groupCalls', count: 4 },
      { name: 'meetingMinutes', count: 40 },
      { name: 'platforms', count: 1 },
      { name: 'scheduledPosts', count: 3 },
      { name: 'storage', count: 2 },
      { name: 'transcription', count: 30 },
    ]);
  });

  test('come before planned ones, so that the first four are available', () => {
    for (const plan of planIds) {
      const features = listPlanFeatures(plan, everything);
      expect(features.slice(0, initialFeatureCount).some(({ planned }) => planned)).toBe(false);
      const first = features.findIndex(({ planned }) => planned);
      if (first >= 0) expect(features.slice(first).every(({ planned }) => planned)).toBe(true);
    }
    expect(listPlanFeatures('business', everything).filter(({ planned }) => planned).length).toBe(5);
  });

  test('leave out what this installation lacks', () => {
    const names = planIds.flatMap((plan) => listPlanFeatures(plan, {})).map(({ name }) => name);
    expect(names.filter((name) => /platforms|Posts|transcription/.test(name))).toEqual([]);
  });
});

describe('the card of a plan', () => {
  test.each([
    ['free', billing({}), ['current', 'upgrade', 'upgrade']],
    ['plus', owned({ plan: 'plus' }), ['downgrade', 'current', 'upgrade']],
    ['business', owned({ plan: 'business' }), ['downgrade', 'downgrade', 'current']],
    ['a plan that is ending', owned({ plan: 'plus', status: 'ending' }), ['next', 'current', 'upgrade']],
    ['a plan to be downgraded', owned({ plan: 'business', nextPlan: 'plus' }), ['downgrade', 'next', 'current']],
    ['grace', owned({ plan: 'plus', status: 'grace' }), ['none', 'current', 'upgrade']],
    ['a seat', billing({ plan: 'business', source: 'seat' }), ['none', 'none', 'current']],
    ['a plan that was granted', billing({ plan: 'plus', source: 'grant' }), ['none', 'current', 'upgrade']],
  ])('offers the right action for %s', (_, standing, offers) => {
    expect(planIds.map((plan) => toPlanOffer(plan, standing))).toEqual(offers);
  });
});

test.each([
  [billing({}), 'free', null],
  [owned({ plan: 'plus' }), 'renews', '2026-12-20T10:00:00Z'],
  [owned({ plan: 'plus', status: 'ending' }), 'becomes', '2026-12-20T10:00:00Z'],
  [owned({ plan: 'plus', status: 'grace', graceEndsAt: '2026-12-27T10:00:00Z' }), 'grace', '2026-12-27T10:00:00Z'],
  [billing({ plan: 'business', source: 'seat' }), 'seat', null],
  [
    billing({ plan: 'plus', source: 'grant', periodEndsAt: '2027-01-01T00:00:00Z' }),
    'givenUntil',
    '2027-01-01T00:00:00Z',
  ],
])('the state of a plan decides what is announced next: %#', (standing, sentence, at) => {
  expect(describePlanOutlook(standing)).toEqual({ sentence, at });
});

test('a cancelled plan becomes Free', () => {
  expect(getPlanAfterPeriod({ nextPlan: null, status: 'ending' })).toBe('free');
  expect(getPlanAfterPeriod({ nextPlan: 'plus', status: 'active' })).toBe('plus');
  expect(getPlanAfterPeriod({ nextPlan: null, status: 'active' })).toBeNull();
});

describe('the total of an order', () => {
  const nothing = { credit: null, plan: 'free', source: 'none', seats: null } as const;

  test.each(['NGN', 'KES', 'GHS'] as const)(
    '%s is shown locally and charged at the list price in dollars',
    (currency) => {
      const total = computeTotal({ item: 'business', seats: 3, currency }, nothing);
      expect(total).toEqual({
        gateway: 'paypal',
        shownMinor: prices.business[currency] * 3,
        credit: 0,
        chargedMinor: 4_500,
        currency: 'USD',
        settlesElsewhere: true,
      });
    },
  );

  test('rand go through PayFast unchanged', () => {
    const total = computeTotal({ item: 'plus', seats: 1, currency: 'ZAR' }, nothing);
    expect(total).toMatchObject({ gateway: 'payfast', chargedMinor: 12_900, currency: 'ZAR', settlesElsewhere: false });
  });

  const credit = { amountMinor: 9_030, currency: 'ZAR' } as const;
  const plus = { plan: 'plus', source: 'own', seats: null, credit } as const;
  const order = { item: 'business', seats: 1, currency: 'ZAR' } as const;

  test('unused days are credited towards a larger plan, in the same currency', () => {
    expect(computeTotal(order, plus).chargedMinor).toBe(27_900 - 9_030);
    expect(computeTotal({ ...order, currency: 'EUR' }, plus).credit).toBe(0);
    expect(computeTotal({ ...order, item: 'plus' }, plus).credit).toBe(0);
    expect(computeTotal({ ...order, item: 'storage' }, plus).credit).toBe(0);
    expect(computeTotal(order, { ...plus, source: 'grant' }).credit).toBe(0);
    const business = { ...plus, plan: 'business', seats: { bought: 2, taken: 1 } } as const;
    expect(computeTotal({ ...order, seats: 2 }, business).credit).toBe(0);
    expect(computeTotal({ ...order, seats: 3 }, business).credit).toBe(9_030);
  });

  test('the credit from the server counts, up to the price', () => {
    expect(computeTotal(order, plus, 8_600).chargedMinor).toBe(27_900 - 8_600);
    expect(computeTotal(order, plus, 99_999)).toMatchObject({ credit: 27_900, chargedMinor: 0 });
  });
});

describe('a reached limit', () => {
  test('is read from the details of the refusal', () => {
    const details = { feature: 'storageBytes', limit: 5, used: 4, liftedBy: ['business', 'plus'], addOn: 'storage' };
    expect(readReachedLimit(details)).toEqual({ ...details, liftedBy: ['plus', 'business'] });
  });

  test('is shown without details that are not understood', () => {
    const nothing = { feature: null, limit: null, used: null, liftedBy: [], addOn: null };
    expect(readReachedLimit({})).toEqual(nothing);
    expect(readReachedLimit({ feature: 'beds', limit: '4', used: {}, liftedBy: 'plus', addOn: 7 })).toEqual(nothing);
  });

  test('is reported once for a background task', () => {
    expect(isNotifiedOnce(readReachedLimit({ feature: 'transcriptionSeconds' }))).toBe(true);
    expect(isNotifiedOnce(readReachedLimit({ feature: 'storageBytes' }))).toBe(false);
  });
});

test('an order is awaited until it is paid or over, and polled less often after a while', () => {
  const states = ['created', 'redirected', 'paid', 'cancelled', 'expired', 'failed', 'refunded', 'disputed'] as const;
  expect(states.map(toOrderProgress)).toEqual([
    'waiting',
    'waiting',
    'paid',
    'over',
    'over',
    'over',
    'returned',
    'returned',
  ]);
  expect(getPollIntervalMs(0)).toBeLessThan(getPollIntervalMs(longWaitMs));
});
