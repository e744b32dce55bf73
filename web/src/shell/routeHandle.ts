import { isolated } from '@nolo/rules';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches } from 'react-router-dom';
import { useStore } from 'zustand';
import { titleWithCount, unreadStore } from '../session/unread.ts';

/** The titles a route may carry; dynamic ones are set by the screen with useDocumentTitle. */
export type TitleKey =
  'chats.title' | 'nav.contacts' | 'nav.meetings' | 'nav.status' | 'nav.schedule' | 'nav.profile' | 'notFound.title';

/** What a route says about itself in its `handle`. */
export interface RouteHandle {
  title?: TitleKey;
  /** On phones the pane fills the screen: no tab bar under it, for the composer stands there. */
  hideTabs?: boolean;
}

/** The handle of the innermost route that has one. */
export function useRouteHandle(): RouteHandle {
  const matches = useMatches();
  return (matches.findLast((match) => match.handle !== undefined)?.handle ?? {}) as RouteHandle;
}

/** Sets the tab's title while the calling component is mounted: "(3) Amara Dlamini · Nolo". */
export function useDocumentTitle(title: string | undefined): void {
  const { t } = useTranslation();
  const unread = useStore(unreadStore, (state) => state.count);
  useEffect(() => {
    if (title !== undefined) document.title = titleWithCount(`${isolated(title)} · ${t('common.productName')}`, unread);
  }, [title, unread, t]);
}
