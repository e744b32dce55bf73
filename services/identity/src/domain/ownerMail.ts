import type { SupportedLanguage } from '@nolo/rules';
import type { OutgoingMail } from './securityPorts.ts';
import { identityWords } from './identityWords.ts';

/**
 * Builds the email that notifies a webhook's owner that it was disabled. Contains no link, so people do not learn to
 * follow links.
 */
export function createWebhookDisabledMail(
  { host, gone }: { host: string; gone: boolean },
  language: SupportedLanguage,
): Omit<OutgoingMail, 'to'> {
  const { subject, stopped, again, ...why } = identityWords[language].webhook;
  return { subject, text: `${stopped(host, gone ? why.gone : why.silent)}\n\n${again}\n` };
}
