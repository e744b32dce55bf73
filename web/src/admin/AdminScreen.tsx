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
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { limits } from '@nolo/rules';
import { NavLink, useParams } from 'react-router-dom';
import { proofStore } from '../account/proof.ts';
import { ApiError } from '../api/request.ts';
import { useSelf } from '../session/self.ts';
import { useSells } from '../session/useSells.ts';
import { NotFoundScreen } from '../shell/NotFoundScreen.tsx';
import { ProfileFrame } from '../shell/ProfileFrame.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/classNames.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useAdmission } from './adminQueries.ts';
import { AnnouncementsPage } from './AnnouncementsPage.tsx';
import { BarredHostsPage } from './BarredHostsPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { JobsPage } from './JobsPage.tsx';
import { MailInvitationsPage } from './MailInvitationsPage.tsx';
import { RoomsPage } from './RoomsPage.tsx';
import { ReportsPage } from './ReportsPage.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { StatePage } from './StatePage.tsx';
import { useOperatorWords } from './useOperatorWords.ts';
import { UsersPage } from './UsersPage.tsx';

const pages = {
  users: UsersPage,
  invitations: MailInvitationsPage,
  reports: ReportsPage,
  state: StatePage,
  settings: SettingsPage,
  jobs: JobsPage,
  rooms: RoomsPage,
  announcements: AnnouncementsPage,
  links: BarredHostsPage,
  audit: AuditPage,
} as const;

/** `/admin`: what operators of the installation see and do; the server decides who is one, and keeps a record of it. */
export function AdminScreen() {
  const { t } = useOperatorWords();
  const { page = 'users' } = useParams();
  const Page = Object.hasOwn(pages, page) ? pages[page as keyof typeof pages] : undefined;
  useDocumentTitle(t('admin.title'));
  if (!Page) return <NotFoundScreen />;
  return (
    <ProfileFrame title={t('admin.title')} back={t('admin.back')}>
      <Gate>
        <div className="flex flex-col gap-4 lg:flex-row lg:gap-8">
          <Sections />
          <div className="flex min-w-0 flex-1 flex-col gap-4">
            <Page />
          </div>
        </div>
      </Gate>
    </ProfileFrame>
  );
}

function Sections() {
  const { t } = useOperatorWords();
  const sells = useSells();
  const { page } = useParams();
  const list = useRef<HTMLUListElement>(null);
  // What is open is in sight where not all of them are.
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current="page"]');
    open?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [page]);
  return (
    <nav aria-label={t('admin.sections')} className="shrink-0 lg:w-44">
      {/* On phones one line that is drawn aside. */}
      <ul
        ref={list}
        className="-mx-4 flex gap-1 overflow-x-auto overscroll-x-contain px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-col lg:overflow-visible lg:p-0"
      >
        <Section to="/admin" Icon={Users} title={t('admin.users')} />
        <Section to="/admin/invitations" Icon={MailPlus} title={t('admin.invitations')} />
        <Section to="/admin/rooms" Icon={Video} title={t('admin.rooms')} />
        <Section to="/admin/announcements" Icon={Megaphone} title={t('admin.announcements')} />
        <Section to="/admin/reports" Icon={Flag} title={t('admin.reports')} />
        <Section to="/admin/links" Icon={Link2Off} title={t('admin.barred')} />
        <Section to="/admin/settings" Icon={SlidersHorizontal} title={t('admin.changeable')} />
        <Section to="/admin/state" Icon={Activity} title={t('admin.state')} />
        <Section to="/admin/jobs" Icon={ListRestart} title={t('admin.jobs')} />
        <Section to="/admin/audit" Icon={ScrollText} title={t('admin.audit')} />
        {sells && <Section to="/admin/billing" Icon={CreditCard} title={t('admin.billing')} />}
      </ul>
    </nav>
  );
}

function Section({ to, Icon, title }: { to: string; Icon: LucideIcon; title: string }) {
  return (
    <li className="max-lg:shrink-0">
      <NavLink
        end
        to={to}
        className={({ isActive }) =>
          classNames(
            'flex min-h-10 items-center gap-3 rounded-control px-3 py-1.5 text-14 pointer-coarse:min-h-11',
            isActive ? 'bg-accent-subtle font-medium text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
          )
        }
      >
        <Icon aria-hidden="true" className="size-[18px] shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </NavLink>
    </li>
  );
}

/** Lets operators in who were proven a short while ago. */
function Gate({ children }: { children: ReactNode }) {
  const { t } = useOperatorWords();
  const { data, error, isFetching, refetch } = useAdmission();
  if (data) return children;
  if (error instanceof ApiError && error.code === 'not_operator') return <Refused />;
  if (error instanceof ApiError && error.code === 'proof_required') {
    const wantsPasskey = error.details['way'] === 'passkey';
    const confirm = async () => {
      if (await proofStore.getState().ask()) await refetch();
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

/** Names the account, for whoever runs the installation and may let it in. */
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
