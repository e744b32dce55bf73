import type { SaleItem } from '@nolo/rules';

interface MailText {
  readonly subject: string;
  /** Paragraphs. */
  readonly lines: readonly string[];
}

/** Facts of a letter, in the reader's language. */
interface MailTemplateValues {
  /** Purchased item, as the subject of a sentence. */
  readonly what: string;
  /** Day. Undefined if unknown. */
  readonly day: string | undefined;
  readonly receipt: string;
  /** Person who invites or offers. */
  readonly who: string;
  readonly origin: string;
}

export type MailOccasion = 'receipt' | 'reminder' | 'grace' | 'ended' | 'invitation' | 'seat';

/** All texts of this service for people. A language must have all of them. */
export interface BillingWords {
  readonly letters: Readonly<Record<MailOccasion, (facts: MailTemplateValues) => MailText>>;
  readonly bought: Readonly<Record<SaleItem, string>>;
  readonly boughtAnything: string;
  readonly somebody: string;
  readonly items: Readonly<Record<SaleItem, string>>;
  readonly seats: (count: number) => string;
  readonly receipt: {
    readonly title: string;
    readonly file: (number: string) => string;
    readonly number: (number: string) => string;
    readonly date: (day: string) => string;
    readonly paid: (day: string, gateway: string) => string;
    readonly buyer: (buyer: string) => string;
    readonly credit: string;
    readonly total: string;
    readonly includes: (tax: string, percent: string) => string;
  };
}
