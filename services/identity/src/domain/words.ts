import type { NoticeKind } from './securityPorts.ts';

/** What a security notice may name, in the reader's words. */
export interface NoticeFacts {
  /** On which device and when. */
  readonly where: string;
  /** The numbers that came and went. */
  readonly number: string;
  readonly previousNumber: string;
  readonly provider: string;
  /** The mail addresses that came and went. */
  readonly mail: string;
  readonly previousMail: string;
  /** From when on the account opens without its second factor. */
  readonly opensAt: string;
  /** When the account, which was closed, is deleted, and whether an operator closed it. */
  readonly deletesAt: string;
  readonly byOperator: boolean;
}

/** All that this service writes to people. Each language has all of it, or is no language. */
export interface IdentityWords {
  codeText(code: string, minutes: number): string;
  readonly mailCode: { readonly subject: string; text(code: string, minutes: number): string };
  device(browser: string, system: string): string;
  readonly unknownDevice: string;
  readonly unknownProvider: string;
  /** Mail passes through many hands, so a number is told by its end alone. */
  numberEnding(digits: string): string;
  where(device: string, time: string, place: string | undefined): string;
  readonly notices: Readonly<
    Record<NoticeKind, { readonly subject: string; readonly happened: (facts: NoticeFacts) => string }>
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
