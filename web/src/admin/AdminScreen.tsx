import {
  Activity,
  CreditCard,
  Flag,
  Link2Off,
  ListRestart,
  MailPlus,
  Megaphone,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  Video,
} from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router-dom';
import { proofStore } from '../api/proof.ts';
import { ApiError, call } from '../api/httpClient.ts';
import { useSelf } from '../session/self.ts';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { NotFoundScreen } from '../shell/NotFoundScreen.tsx';
import { CategoriesFrame } from '../shell/CategoriesFrame.tsx';
import { CategoryLink } from '../shell/CategoryLink.tsx';
import { OperatorsOnly } from '../shell/OperatorsOnly.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { adminKeys } from './adminQueries.ts';
import { AnnouncementsPage } from './AnnouncementsPage.tsx';
import { BarredHostsPage } from './BarredHostsPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { JobsPage } from './JobsPage.tsx';
import { MailInvitationsPage } from './MailInvitationsPage.tsx';
import { RoomsPage } from './RoomsPage.tsx';
import { ReportsPage } from './ReportsPage.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { InstallationStatePage } from './InstallationStatePage.tsx';
import { UsersPage } from './UsersPage.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

/** Pages in the order of the list. Payments belong to another room, which has its own access check and title. */
const pages = {
  users: { Icon: Users, title: 'admin:users', Page: UsersPage },
  invitations: { Icon: MailPlus, title: 'admin:invitations', Page: MailInvitationsPage },
  rooms: { Icon: Video, title: 'admin:rooms', Page: RoomsPage },
  announcements: { Icon: Megaphone, title: 'admin:announcements', Page: AnnouncementsPage },
  reports: { Icon: Flag, title: 'admin:reports', Page: ReportsPage },
  links: { Icon: Link2Off, title: 'admin:barred', Page: BarredHostsPage },
  settings: { Icon: SlidersHorizontal, title: 'admin:changeable', Page: SettingsPage },
  state: { Icon: Activity, title: 'admin:state', Page: InstallationStatePage },
  jobs: { Icon: ListRestart, title: 'admin:jobs', Page: JobsPage },
  audit: { Icon: ScrollText, title: 'admin:audit', Page: AuditPage },
  billing: { Icon: CreditCard, title: 'admin:billing', Page: undefined },
} as const;
type PageName = keyof typeof pages;

/** Page `/admin` for operators of the installation; the server decides who is one, and records their actions. */
export function AdminScreen() {
  const { t } = useTexts(adminTexts);
  const { operator } = useSelf();
  const requestedPage = useLocation().pathname.split('/')[2] || undefined;
  const page = requestedPage ?? 'users';
  const isKnown = Object.hasOwn(pages, page);
  const { Page, title } = pages[isKnown ? (page as PageName) : 'users'];
  useDocumentTitle(Page && t(requestedPage !== undefined && isKnown ? title : 'admin:title'));
  if (!isKnown) return <NotFoundScreen />;
  return (
    <CategoriesFrame
      title={t('admin:title')}
      back={{ to: '/profile', label: t('admin:back'), alwaysShown: true }}
      page={page}
      list={operator ? <Sections page={page} /> : undefined}
    >
      {Page ? (
        <Gate>
          <Page />
        </Gate>
      ) : (
        <Outlet />
      )}
    </CategoriesFrame>
  );
}

function Sections({ page }: { page: string }) {
  const { t } = useTexts(adminTexts);
  const sells = useArePlansSold();
  const list = useRef<HTMLUListElement>(null);
  // Scrolls the open page into view if not all are visible.
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current="page"]');
    open?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [page]);
  return (
    <nav aria-label={t('admin:sections')}>
      {/* A single scrollable line in one column. */}
      <ul
        ref={list}
        className="-mx-4 flex gap-1 overflow-x-auto overscroll-x-contain px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-col lg:gap-0.5 lg:overflow-visible lg:p-0"
      >
        {(Object.keys(pages) as PageName[])
          .filter((one) => one !== 'billing' || sells)
          .map((one) => (
            <CategoryLink
              key={one}
              to={one === 'users' ? '/admin' : `/admin/${one}`}
              Icon={pages[one].Icon}
              title={t(pages[one].title)}
              current={one === page}
              className="max-lg:shrink-0"
            />
          ))}
      </ul>
    </nav>
  );
}

/** Admits operators with a fresh proof. */
function Gate({ children }: { children: ReactNode }) {
  const { t } = useTexts(adminTexts);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: adminKeys.access,
    queryFn: ({ signal }) => call(routes.openAdmin, { signal }),
  });
  if (data) return children;
  if (error instanceof ApiError && error.code === 'not_operator') {
    return <OperatorsOnly title={t('admin:refused')} text={t('admin:refusedText')} />;
  }
  if (error instanceof ApiError && error.code === 'proof_required') {
    const wantsPasskey = error.details['way'] === 'passkey';
    const confirm = async () => {
      if (await proofStore.getState().requestProof()) await refetch();
    };
    return (
      <EmptyState
        className="pt-16"
        icon={<ShieldCheck />}
        title={t('admin:proof')}
        description={
          wantsPasskey ? t('admin:proofPasskey') : t('admin:proofText', { minutes: limits.operatorProofSeconds / 60 })
        }
        action={
          <Button busy={isFetching} onClick={() => void confirm()}>
            {t('admin:proofConfirm')}
          </Button>
        }
      />
    );
  }
  if (error) {
    return (
      <ErrorState
        className="pt-16"
        title={t('admin:loadFailed')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return <SkeletonRows label={t('admin:loading')} />;
}
