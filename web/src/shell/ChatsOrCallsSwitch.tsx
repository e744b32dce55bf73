import { Link, useLocation } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';

/** Switches between chats and calls above their lists on phones, where calls have no tab. */
export function ChatsOrCallsSwitch() {
  const { t } = useTexts();
  const { pathname } = useLocation();
  const inCalls = pathname.startsWith('/calls');
  return (
    <nav aria-label={t('chats.title')} className="mx-4 mb-2 flex shrink-0 gap-1 rounded-card bg-sunken p-1 md:hidden">
      {(['chats', 'calls'] as const).map((section) => (
        <Link
          key={section}
          to={section === 'calls' ? '/calls' : '/'}
          replace={inCalls}
          aria-current={inCalls === (section === 'calls') ? 'page' : undefined}
          className="tap flex min-h-9 flex-1 items-center justify-center rounded-control px-3 text-13 font-medium text-muted aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-raised"
        >
          {t(`nav.${section}`)}
        </Link>
      ))}
    </nav>
  );
}
