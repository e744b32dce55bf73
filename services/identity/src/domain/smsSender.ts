export interface SmsSender {
  /** @throws where the message was not accepted. */
  send(to: string, text: string): Promise<void>;
}
