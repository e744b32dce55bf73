import { isolateDirection } from '@nolo/rules';
import { useEffect } from 'react';
import { useMatches } from 'react-router-dom';
import { useStore } from 'zustand';
import { titleWithCount, unreadStore } from '../session/unread.ts';
import { useTexts } from '../i18n/texts.ts';

/** Titles that a route may have. Screens set dynamic ones with useDocumentTitle. */
type TitleKey =
  'chats.title' | 'nav.contacts' | 'nav.meetings' | 'nav.status' | 'nav.schedule' | 'nav.profile' | 'notFound.title';

/** Metadata in a route's `handle`. */
export interface RouteHandle {
  title?: TitleKey;
  /** True if the pane fills the screen on phones, without the tab bar, because the composer is there. */
  hideTabs?: boolean;
}

/** Returns the handle of the innermost route that has one. */
export function useRouteHandle(): RouteHandle {
  const matches = useMatches();
  return (matches.findLast((match) => match.handle !== undefined)?.handle ?? {}) as RouteHandle;
}

/** Sets the tab's title while the calling component is mounted: "(3) Amara Dlamini · Nolo". */
export function useDocumentTitle(title: string | undefined): void {
  const { t } = useTexts();
  const unread = useStore(unreadStore, (state) => state.count);
  useEffect(() => {
    if (title !== undefined)
      document.title = titleWithCount(`${isolateDirection(title)} · ${t('common.productName')}`, unread);
  }, [title, unread, t]);
}
