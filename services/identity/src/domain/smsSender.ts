export interface SmsSender {
  /** @throws if the message was not accepted. */
  send(to: string, text: string): Promise<void>;
}
