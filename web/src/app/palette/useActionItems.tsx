import { Keyboard, LogOut, Monitor, Moon, Star, Sun, UsersRound } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { useDemoSecondWindow } from '../../account/secondPerson/DemoSecondPersonOffer.tsx';
import { demoSecondPersonName } from '../../account/secondPerson/demoSecondWindow.ts';
import { useRequestSignOut } from '../../session/useRequestSignOut.ts';
import { themeStore } from '../../ui/theme.ts';
import { useNavEntries } from '../sections.tsx';
import { useStartActions } from '../StartSheet.tsx';
import { findPaletteEntries } from './model/paletteEntries.ts';
import type { PaletteGroup, PaletteItem } from './paletteGroups.ts';
import { useTexts } from '../../i18n/texts.ts';
import { paletteTexts } from './paletteTexts.ts';
import { secondPersonTexts } from '../../account/secondPerson/secondPersonTexts.ts';

function usePlaces(): readonly PaletteItem[] {
  const { t } = useTexts(paletteTexts);
  const navigate = useNavigate();
  const sections = useNavEntries().map(({ section, path, Icon }, index) => ({
    id: `section ${section}`,
    label: t('palette:goTo', { place: t(`nav.${section}`) }),
    icon: <Icon />,
    keys: ['g', String(index + 1)],
    ...(section === 'profile' && { words: [t('chats.settings')] }),
    does: () => void navigate(path),
  }));
  const starred = {
    id: 'starred',
    label: t('palette:goTo', { place: t('chats.starred') }),
    icon: <Star />,
    does: () => void navigate('/starred'),
  };
  return [...sections, starred];
}

/** Number of actions shown without input: those that start something, because sections have shortcuts. */
const maxInitialActions = 7;

export function useActionItems(typed: string, showShortcuts: () => void): PaletteGroup {
  const { t } = useTexts(paletteTexts, secondPersonTexts);
  const second = useDemoSecondWindow();
  const signOut = useRequestSignOut();
  const beginnings = useStartActions();
  const places = usePlaces();
  const { choose } = themeStore.getState();
  const all: readonly PaletteItem[] = [
    ...beginnings,
    ...places,
    ...(second
      ? [
          {
            id: 'second',
            label: t('secondPerson:offer', { name: demoSecondPersonName.firstName }),
            icon: <UsersRound />,
            does: () => void second.open(),
          },
        ]
      : []),
    { id: 'light', label: t('palette:lightTheme'), icon: <Sun />, does: () => choose('light') },
    { id: 'dark', label: t('palette:darkTheme'), icon: <Moon />, does: () => choose('dark') },
    { id: 'system', label: t('palette:systemTheme'), icon: <Monitor />, does: () => choose('system') },
    { id: 'shortcuts', label: t('palette:shortcuts'), icon: <Keyboard />, keys: ['?'], does: showShortcuts },
    { id: 'signOut', label: t('chats.logout'), icon: <LogOut className="rtl:-scale-x-100" />, does: signOut },
  ];
  const items = typed.trim() === '' ? beginnings.slice(0, maxInitialActions) : findPaletteEntries(all, typed);
  return { id: 'actions', title: t('palette:actions'), items };
}
