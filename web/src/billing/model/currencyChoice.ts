import { currencyOfTimeZone, isCurrency, type Currency } from '@nolo/rules';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { getAccountPreferenceStore, syncPreference } from '../../session/preferences.ts';

/** Storage key of the choice. */
export const currencyStorageKey = 'nolo.currency';

interface CurrencyChoice {
  currency: Currency;
  choose: (currency: Currency) => void;
}

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Creates the choice of the currency for prices: the one chosen on this device, otherwise that of its time zone (spec
 * section 9).
 */
export function createCurrencyChoice(kept: Kept, timeZone: string): StoreApi<CurrencyChoice> {
  const remembered = kept.getItem(currencyStorageKey) ?? '';
  return createStore<CurrencyChoice>((set) => ({
    currency: isCurrency(remembered) ? remembered : currencyOfTimeZone(timeZone),
    choose(currency) {
      set({ currency });
      try {
        kept.setItem(currencyStorageKey, currency);
      } catch {
        // If storage is full or forbidden, the choice lasts until the next page load.
      }
    },
  }));
}

let choice: StoreApi<CurrencyChoice> | undefined;

/** Returns the choice for this device. */
export function currencyChoice(): StoreApi<CurrencyChoice> {
  if (choice) return choice;
  const chosen = localStorage.getItem(currencyStorageKey) !== null;
  const made = createCurrencyChoice(localStorage, Intl.DateTimeFormat().resolvedOptions().timeZone);
  syncPreference(getAccountPreferenceStore(), 'currency', {
    get: () => made.getState().currency,
    set: (currency) => made.getState().choose(currency),
    subscribe: made.subscribe,
    defaultValue: chosen ? null : made.getState().currency,
  });
  choice = made;
  return made;
}
