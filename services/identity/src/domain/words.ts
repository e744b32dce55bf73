import type { SecurityNoticeKind } from './securityPorts.ts';

/** Facts that a security notice may mention, in the reader's language. */
interface SecurityNoticeFacts {
  /** Device and time. */
  readonly where: string;
  /** Added and removed phone number. */
  readonly number: string;
  readonly previousNumber: string;
  readonly provider: string;
  /** Added and removed email address. */
  readonly mail: string;
  readonly previousMail: string;
  /** Time from which the account opens without its second factor. */
  readonly opensAt: string;
  /** Deletion time of a closed account, and whether an operator closed it. */
  readonly deletesAt: string;
  readonly byOperator: boolean;
}

/** All texts that this service sends to people. Every language must be complete. */
export interface IdentityWords {
  codeText(code: string, minutes: number): string;
  readonly mailCode: { readonly subject: string; text(code: string, minutes: number): string };
  device(browser: string, system: string): string;
  readonly unknownDevice: string;
  readonly unknownProvider: string;
  /** Names a number by its last digits only, because email passes through many hands. */
  numberEnding(digits: string): string;
  where(device: string, time: string, place: string | undefined): string;
  readonly notices: Readonly<
    Record<SecurityNoticeKind, { readonly subject: string; readonly happened: (facts: SecurityNoticeFacts) => string }>
  >;
  readonly wasYou: string;
  readonly wasNotYou: string;
  readonly askedByYou: string;
  readonly askedByOthers: string;
  readonly numberCanReturn: string;
  readonly invitation: {
    readonly subject: string;
    text(facts: { readonly host: string; readonly link: string; readonly until: string }): string;
  };
  readonly webhook: {
    readonly subject: string;
    readonly gone: string;
    readonly silent: string;
    readonly stopped: (host: string, why: string) => string;
    readonly again: string;
  };
}
