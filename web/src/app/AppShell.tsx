import { Suspense, useEffect, useRef, useState, useId } from 'react';
import { Outlet, useLocation, Link } from 'react-router-dom';
import { CloudOff, Info, LogOut, Settings } from 'lucide-react';
import { useStore } from 'zustand';
import './earlyKeyPresses.ts';
import { useDocumentTitle, useRouteHandle } from '../shell/routeHandle.ts';
import { AnnouncementBanners } from '../shell/AnnouncementBanners.tsx';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { appUpdateStore } from '../shell/appUpdate.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { useOnline } from '../shell/useOnline.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { classNames } from '../ui/classNames.ts';
import { useRequestSignOut } from '../session/useRequestSignOut.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LogoIcon } from '../ui/Logo.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { SectionBadge } from './SectionBadge.tsx';
import { useNavEntries } from './sections.tsx';
import { useTexts } from '../i18n/texts.ts';

function TabBar() {
  const { t } = useTexts();
  const all = useNavEntries();
  const badges = useId();
  const open = all.find(({ current }) => current);
  const entries = all.filter(({ parentSection }) => !parentSection);
  return (
    <nav
      data-keep-clear
      aria-label={t('nav.label')}
      className="shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex h-14">
        {entries.map(({ section, path, Icon }) => {
          const current = section === (open?.parentSection ?? open?.section);
          return (
            <li key={section} className="min-w-0 flex-1">
              <Link
                to={path}
                aria-label={t(`nav.${section}`)}
                aria-current={current ? 'page' : undefined}
                aria-describedby={`${badges}${section}`}
                className={classNames(
                  'flex h-full flex-col items-center justify-center gap-0.5 text-12 font-medium outline-offset-[-3px] select-none',
                  current ? 'text-accent-text' : 'text-muted',
                )}
              >
                <span
                  className={classNames(
                    'relative flex h-7 w-14 items-center max-[22rem]:w-11 justify-center rounded-full transition-colors duration-150',
                    current && 'bg-accent-subtle',
                  )}
                >
                  <Icon aria-hidden="true" className="size-[22px]" strokeWidth={current ? 2.2 : 1.8} />
                  <SectionBadge section={section} id={`${badges}${section}`} />
                </span>
                <span className="max-w-full truncate px-1 max-[22rem]:px-0 max-[22rem]:text-[0.6875rem] max-[22rem]:tracking-tight">
                  {t(`nav.${section}`)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Interruptions shorter than this many milliseconds are not shown. */
const quietMs = 2_000;

/** Shows that the live connection is down: quietly while it reconnects by itself, with Retry once that takes long. */
function ConnectionBanner() {
  const { t } = useTexts();
  const { engine } = useChat();
  const connection = useChatState((state) => state.connection);
  const online = useOnline();
  const reconnecting = connection === 'connecting' || connection === 'reconnecting';
  const [longer, setLonger] = useState(false);
  useEffect(() => {
    if (!reconnecting) return undefined;
    const timer = setTimeout(() => setLonger(true), quietMs);
    return () => {
      clearTimeout(timer);
      setLonger(false);
    };
  }, [reconnecting]);

  // Offline, another banner above says so already, and a retry would be useless.
  if (!online) return null;
  if (connection === 'waiting') {
    return (
      <Banner
        tone="warning"
        icon={<CloudOff />}
        action={
          <Button size="small" kind="secondary" onClick={() => engine.retryConnection()}>
            {t('common.retry')}
          </Button>
        }
      >
        {t('chats.connectionLost')}
      </Banner>
    );
  }
  if (!reconnecting || !longer) return null;
  return (
    <Banner tone="neutral" icon={<Spinner />} className="min-h-8 text-muted">
      {t('chats.reconnecting')}
    </Banner>
  );
}

/** Banner at the top: no network, or a new version to be installed. */
function ShellBanners() {
  const { t } = useTexts();
  const online = useOnline();
  const applyUpdate = useStore(appUpdateStore, (state) => state.apply);
  return (
    <>
      {!online && (
        <Banner tone="warning" icon={<CloudOff />}>
          {t('shell.offline')}
        </Banner>
      )}
      {applyUpdate !== null && (
        <Banner
          tone="accent"
          icon={<Info />}
          action={
            <Button size="small" kind="secondary" onClick={applyUpdate}>
              {t('shell.reload')}
            </Button>
          }
        >
          {t('shell.updateReady')}
        </Banner>
      )}
    </>
  );
}

/* Keys pressed before it has loaded are stored for it. */
const ShortcutSheet = lazyOptional(async () => (await import('./ShortcutHandler.tsx')).ShortcutHandler);
const PushHost = lazyOptional(async () => (await import('../notifications/PushHost.tsx')).PushHost);
const SecurityBanner = lazyOptional(
  async () => (await import('../account/security/SecurityBanner.tsx')).SecurityBanner,
);

const KeysBanner = lazyOptional(async () => (await import('./KeysBannerHost.tsx')).KeysBannerHost);

/**
 * Moves the focus to the new screen, so that keyboard and screen reader start there. A screen that has already focused
 * something inside keeps it, and so does a list whose row was chosen.
 */
function useFocusOnRouteChange(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const frame = requestAnimationFrame(() => {
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname, main]);
}

/**
 * Frame around every signed-in screen. Phones: the screen over a bottom tab bar. From 768 px on: a slim rail at the
 * start edge and the screen next to it, which has its own panes.
 */
export function AppShell() {
  const { t } = useTexts();
  const { title, hideTabs = false } = useRouteHandle();
  const main = useRef<HTMLElement>(null);
  useDocumentTitle(title === undefined ? undefined : t(title));
  useFocusOnRouteChange(main);

  return (
    <div
      data-shell
      className="relative flex h-dvh flex-col overflow-clip bg-page ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] has-[~[data-call-pill]]:pt-15 md:flex-row"
    >
      <a
        href="#main"
        className="fixed start-3 top-3 z-60 -translate-y-20 rounded-control bg-ink px-3 py-2 text-14 text-page focus:translate-y-0"
      >
        {t('common.skipToContent')}
      </a>
      <NavRail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ShellBanners />
        <AnnouncementBanners />
        <Suspense>
          <SecurityBanner />
          <KeysBanner />
          <PushHost />
        </Suspense>
        <ConnectionBanner />
        <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {!hideTabs && <TabBar />}
      <Suspense>
        <ShortcutSheet />
      </Suspense>
    </div>
  );
}

/** Slim rail at the start edge, from 768 px on, with settings and Log out at the bottom. */
function NavRail() {
  const { t, i18n } = useTexts();
  const entries = useNavEntries();
  const badges = useId();
  const signOut = useRequestSignOut();
  const side = i18n.dir() === 'rtl' ? 'left' : 'right';
  return (
    <nav
      aria-label={t('nav.label')}
      className="hidden w-16 shrink-0 flex-col items-center gap-1 border-e border-line bg-page py-3 md:flex"
    >
      <Link
        to="/"
        aria-label={t('common.productName')}
        className="mb-3 flex size-11 items-center justify-center rounded-card"
      >
        <LogoIcon className="size-8" />
      </Link>
      {entries.map(({ section, path, Icon: SectionIcon, current }) => {
        // The profile page contains all settings here, and the card over the chats represents the user.
        const isSettings = section === 'profile';
        const label = isSettings ? t('chats.settings') : t(`nav.${section}`);
        const Icon = isSettings ? Settings : SectionIcon;
        return (
          <Tooltip key={section} label={label} side={side}>
            <Link
              to={path}
              aria-label={label}
              aria-current={current ? 'page' : undefined}
              aria-describedby={`${badges}${section}`}
              className={classNames(
                'relative flex size-11 items-center justify-center rounded-card transition-colors duration-150',
                current ? 'bg-accent-subtle text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
                isSettings && 'mt-auto',
              )}
            >
              <Icon aria-hidden="true" className="size-[22px]" strokeWidth={current ? 2.2 : 1.8} />
              <SectionBadge section={section} id={`${badges}${section}`} />
            </Link>
          </Tooltip>
        );
      })}
      <IconButton
        label={t('chats.logout')}
        tooltipSide={side}
        icon={<LogOut className="rtl:-scale-x-100" />}
        onClick={signOut}
      />
    </nav>
  );
}
