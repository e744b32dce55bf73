import type { WrittenLanguage } from '@nolo/rules';
import type { Mail } from './securityPorts.ts';
import { identityWords } from './identityWords.ts';

/** What the owner of a webhook is told when nothing is sent to it any more. No link, so that nobody learns to follow one. */
export function webhookDisabledMail(
  { host, gone }: { host: string; gone: boolean },
  language: WrittenLanguage,
): Omit<Mail, 'to'> {
  const { subject, stopped, again, ...why } = identityWords[language].webhook;
  return { subject, text: `${stopped(host, gone ? why.gone : why.silent)}\n\n${again}\n` };
}
