import { BadgeCheck } from 'lucide-react';
import { useTexts } from '../i18n/texts.ts';
import { keysTexts } from './keysTexts.ts';
import { usePersonKeys } from './usePersonKeys.ts';

/** Mark beside the name of a person whose keys the user verified. */
export function VerifiedMark({ userId }: { userId: string }) {
  const { t } = useTexts(keysTexts);
  const person = usePersonKeys(userId);
  if (person?.verified !== true || person.identity !== 'known') return null;
  return (
    <span title={t('keys:verify.verified')} className="inline-flex shrink-0 align-middle text-accent-text">
      <BadgeCheck role="img" aria-hidden={false} aria-label={t('keys:verify.verified')} className="size-[1.1em]" />
    </span>
  );
}
