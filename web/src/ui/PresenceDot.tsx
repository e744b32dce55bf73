import { classNames } from './classNames.ts';
import { useTexts } from '../i18n/texts.ts';

export type Presence = 'online' | 'away' | 'busy' | 'offline';

/* Each state has its own shape and color, for people who cannot distinguish the colors. */
const presenceClasses: Record<Presence, string> = {
  online: 'bg-online',
  away: 'bg-away [clip-path:none]',
  busy: 'bg-busy',
  offline: 'bg-page border-2 border-offline',
};

export interface PresenceDotProps {
  presence: Presence;
  /** True to omit the text, because the label is beside the dot. */
  decorative?: boolean;
  className?: string;
}

export function PresenceDot({ presence, decorative = false, className }: PresenceDotProps) {
  const { t } = useTexts();
  return (
    <span
      role={decorative ? undefined : 'img'}
      aria-hidden={decorative || undefined}
      aria-label={decorative ? undefined : t(`presence.${presence}`)}
      className={classNames('relative inline-block size-2.5 rounded-full', presenceClasses[presence], className)}
    >
      {presence === 'busy' && <span className="absolute inset-x-[22%] inset-y-[42%] rounded-full bg-[#fff]" />}
      {presence === 'away' && <span className="absolute -start-[8%] -top-[8%] size-[62%] rounded-full bg-raised" />}
    </span>
  );
}
