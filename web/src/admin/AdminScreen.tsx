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
  ShieldX,
  SlidersHorizontal,
  Users,
  Video,
} from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { limits } from '@nolo/rules';
import { Outlet, useLocation } from 'react-router-dom';
import { proofStore } from '../api/proof.ts';
import { ApiError } from '../api/request.ts';
import { useSelf } from '../session/self.ts';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { NotFoundScreen } from '../shell/NotFoundScreen.tsx';
import { CategoriesFrame } from '../shell/CategoriesFrame.tsx';
import { CategoryLink } from '../shell/CategoryLink.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useAdminAccess } from './adminQueries.ts';
import { AnnouncementsPage } from './AnnouncementsPage.tsx';
import { BarredHostsPage } from './BarredHostsPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { JobsPage } from './JobsPage.tsx';
import { MailInvitationsPage } from './MailInvitationsPage.tsx';
import { RoomsPage } from './RoomsPage.tsx';
import { ReportsPage } from './ReportsPage.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { InstallationStatePage } from './InstallationStatePage.tsx';
import { useOperatorWords } from './useOperatorWords.ts';
import { UsersPage } from './UsersPage.tsx';

const pages = {
  users: UsersPage,
  invitations: MailInvitationsPage,
  reports: ReportsPage,
  state: InstallationStatePage,
  settings: SettingsPage,
  jobs: JobsPage,
  rooms: RoomsPage,
  announcements: AnnouncementsPage,
  links: BarredHostsPage,
  audit: AuditPage,
} as const;

/** Icons in the order of the list. */
const icons = {
  users: Users,
  invitations: MailPlus,
  rooms: Video,
  announcements: Megaphone,
  reports: Flag,
  links: Link2Off,
  settings: SlidersHorizontal,
  state: Activity,
  jobs: ListRestart,
  audit: ScrollText,
  billing: CreditCard,
} as const;

const sections = Object.keys(icons) as (keyof typeof icons)[];

const titles = {
  users: 'admin.users',
  invitations: 'admin.invitations',
  rooms: 'admin.rooms',
  announcements: 'admin.announcements',
  reports: 'admin.reports',
  links: 'admin.barred',
  settings: 'admin.changeable',
  state: 'admin.state',
  jobs: 'admin.jobs',
  audit: 'admin.audit',
  billing: 'admin.billing',
} as const satisfies Record<keyof typeof icons, string>;

/** Page `/admin` for operators of the installation; the server decides who is one, and records their actions. */
export function AdminScreen() {
  const { t } = useOperatorWords();
  const { operator } = useSelf();
  const requestedPage = useLocation().pathname.split('/')[2] || undefined;
  const page = requestedPage ?? 'users';
  const Page = Object.hasOwn(pages, page) ? pages[page as keyof typeof pages] : undefined;
  // Belongs to another section, which has its own access check and title.
  const isBilling = page === 'billing';
  useDocumentTitle(
    isBilling ? undefined : t(requestedPage !== undefined && Page ? titles[page as keyof typeof pages] : 'admin.title'),
  );
  if (!Page && !isBilling) return <NotFoundScreen />;
  return (
    <CategoriesFrame
      title={t('admin.title')}
      back={{ to: '/profile', label: t('admin.back'), alwaysShown: true }}
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
  const { t } = useOperatorWords();
  const sells = useArePlansSold();
  const list = useRef<HTMLUListElement>(null);
  // Scrolls the open page into view if not all are visible.
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current="page"]');
    open?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [page]);
  return (
    <nav aria-label={t('admin.sections')}>
      {/* A single scrollable line in one column. */}
      <ul
        ref={list}
        className="-mx-4 flex gap-1 overflow-x-auto overscroll-x-contain px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-col lg:gap-0.5 lg:overflow-visible lg:p-0"
      >
        {sections
          .filter((one) => one !== 'billing' || sells)
          .map((one) => (
            <CategoryLink
              key={one}
              to={one === 'users' ? '/admin' : `/admin/${one}`}
              Icon={icons[one]}
              title={t(titles[one])}
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
  const { t } = useOperatorWords();
  const { data, error, isFetching, refetch } = useAdminAccess();
  if (data) return children;
  if (error instanceof ApiError && error.code === 'not_operator') return <Refused />;
  if (error instanceof ApiError && error.code === 'proof_required') {
    const wantsPasskey = error.details['way'] === 'passkey';
    const confirm = async () => {
      if (await proofStore.getState().requestProof()) await refetch();
    };
    return (
      <EmptyState
        className="pt-16"
        icon={<ShieldCheck />}
        title={t('admin.proof')}
        description={
          wantsPasskey ? t('admin.proofPasskey') : t('admin.proofText', { minutes: limits.operatorProofSeconds / 60 })
        }
        action={
          <Button busy={isFetching} onClick={() => void confirm()}>
            {t('admin.proofConfirm')}
          </Button>
        }
      />
    );
  }
  if (error) {
    return (
      <ErrorState
        className="pt-16"
        title={t('admin.loadFailed')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return <SkeletonRows label={t('admin.loading')} />;
}

/** Shows the account's id, for the installation's owner, who may grant access. */
function Refused() {
  const { t } = useOperatorWords();
  const { id } = useSelf();
  return (
    <EmptyState
      className="pt-16"
      icon={<ShieldX />}
      title={t('admin.refused')}
      description={t('admin.refusedText')}
      action={
        <code dir="ltr" className="rounded-control bg-sunken px-3 py-2 font-mono text-13 break-all select-all">
          {id}
        </code>
      }
    />
  );
}
