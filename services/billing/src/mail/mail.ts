/** Email to one person. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[];
}

export interface MailSender {
  /** Sends an email. @throws BillingMailRefusedError if a retry is pointless */
  send(mail: Mail): Promise<void>;
}

/** Permanent refusal by the server; retries are pointless. */
export class BillingMailRefusedError extends Error {}
