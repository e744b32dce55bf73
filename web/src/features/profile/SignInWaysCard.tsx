import { KeyRound, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { useSelf } from '../../app/self.ts';
import { featureStore } from '../../state/features.ts';
import { toast } from '../../state/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { withoutParameter } from '../auth/signInErrors.ts';
import { LinkPhoneDialog } from './LinkPhoneDialog.tsx';
import { rememberLinking, takeLinkOutcome } from './linkReturn.ts';

/** A provider as a person knows it: by its address, without the technical rest. */
function providerName(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

function useLinkOutcome(providers: number): void {
  const { t } = useTranslation();
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const outcome = takeLinkOutcome(sessionStorage, location.search, providers);
    if (outcome === null) return;
    if (outcome === 'linked') {
      toast({ kind: 'success', title: t('profile.providerLinked') });
      return;
    }
    toast({ kind: 'error', title: t('profile.linkFailed'), description: t(`profile.linkErrors.${outcome}`) });
    void navigate(withoutParameter(location, 'link_error'), { replace: true });
  }, [location, navigate, providers, t]);
}

/** How one gets in: by phone, through a provider, or both (decision 6). */
export function SignInWaysCard() {
  const { t } = useTranslation();
  const self = useSelf();
  const features = useStore(featureStore, (state) => state.features);
  const [linking, setLinking] = useState(false);
  const providers = self.providerIssuers;
  useLinkOutcome(providers.length);

  return (
    <Card title={t('profile.signInWays')} description={t('profile.signInWaysText')}>
      <ul className="flex flex-col gap-1">
        {(self.phoneNumber !== null || features['phoneSignIn'] === true) && (
          <Way
            icon={<Smartphone />}
            title={t('auth.phoneLabel')}
            detail={self.phoneNumber ?? t('profile.notLinked')}
            action={
              self.phoneNumber === null && (
                <Button kind="secondary" size="small" onClick={() => setLinking(true)}>
                  {t('profile.linkPhone')}
                </Button>
              )
            }
          />
        )}
        {providers.map((issuer) => (
          <Way key={issuer} icon={<KeyRound />} title={t('profile.provider')} detail={providerName(issuer)} />
        ))}
        {providers.length === 0 && features['providerSignIn'] === true && (
          <Way
            icon={<KeyRound />}
            title={t('profile.provider')}
            detail={t('profile.notLinked')}
            action={
              <ButtonLink
                kind="secondary"
                size="small"
                href="/api/login?link=1"
                onClick={() => rememberLinking(sessionStorage, providers.length)}
              >
                {t('profile.linkProvider')}
              </ButtonLink>
            }
          />
        )}
      </ul>
      {linking && <LinkPhoneDialog onClose={() => setLinking(false)} />}
    </Card>
  );
}

function Way({ icon, title, detail, action }: { icon: ReactNode; title: string; detail: string; action?: ReactNode }) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-1">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-[18px]"
      >
        {icon}
      </span>
      <span className="min-w-32 flex-1">
        <span className="block text-14 font-medium">{title}</span>
        <span className="tabular block truncate text-13 text-muted">
          <bdi>{detail}</bdi>
        </span>
      </span>
      {action}
    </li>
  );
}
