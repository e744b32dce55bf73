/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[];
}

export interface MailSender {
  /** @throws MailRefused where it is of no use to try again */
  send(mail: Mail): Promise<void>;
}

/** The server takes no mail like this one, however often it is tried. */
export class MailRefused extends Error {}
