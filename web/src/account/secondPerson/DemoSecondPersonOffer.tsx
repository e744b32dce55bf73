import { routes } from '@nolo/api';
import { UsersRound } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { configStore } from '../../session/config.ts';
import { useSelf } from '../../session/self.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { getDemoSecondPersonNumber, demoSecondPersonName, getDemoSecondWindowAddress } from './demoSecondWindow.ts';
import { useTexts } from '../../i18n/texts.ts';
import { secondPersonTexts } from './secondPersonTexts.ts';

const windowShape = 'popup,width=460,height=820';

/** Returns the second window's address and opener; null unless the app runs in demo mode on this machine. */
export function useDemoSecondWindow(): { address: string; open: () => boolean } | null {
  const { id } = useSelf();
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true && config.demoCode !== undefined);
  const address = demo ? getDemoSecondWindowAddress(location, id) : null;
  if (address === null) return null;
  const open = (): boolean => {
    // Makes the two contacts of each other. If they are already, nothing changes.
    const { firstName, lastName } = demoSecondPersonName;
    const body = { phoneNumber: getDemoSecondPersonNumber(id), displayName: `${firstName} ${lastName}` };
    void call(routes.addContact, { body }).catch(() => undefined);
    return window.open(address, 'nolo-second-person', windowShape) !== null;
  };
  return { address, open };
}

/** Offers a user who tries Nolo alone a second person to talk to, in one click. */
export function DemoSecondPersonOffer() {
  const { t } = useTexts(secondPersonTexts);
  const second = useDemoSecondWindow();
  if (second === null) return null;
  const onClick = (event: MouseEvent): void => {
    // If pop-up windows are blocked, the link opens a tab.
    if (second.open()) event.preventDefault();
  };
  return (
    <aside className="mt-6 flex max-w-90 flex-col items-center gap-3 rounded-card bg-info-subtle p-4 text-center text-13 text-info-text">
      <p>{t('secondPerson:why')}</p>
      <a
        href={second.address}
        target="_blank"
        rel="noreferrer"
        onClick={onClick}
        // Wraps to two lines in a narrow list.
        className={classNames(buttonClasses({ kind: 'secondary' }), 'h-auto! min-h-10 py-2 whitespace-normal!')}
      >
        <UsersRound aria-hidden="true" />
        {t('secondPerson:offer', { name: demoSecondPersonName.firstName })}
      </a>
    </aside>
  );
}
