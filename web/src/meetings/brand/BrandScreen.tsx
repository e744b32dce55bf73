import { routes, type Brand, type OwnBrand } from '@nolo/api';
import { Palette, ImageUp, Trash2 } from 'lucide-react';
import { brandColorPattern, brandNameLength, cleanName } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { useSelf } from '../../session/self.ts';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { findPictureProblem, pictureTypes } from '../../account/profile/pictureRules.ts';
import { call } from '../../api/httpClient.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { classNames } from '../../ui/classNames.ts';
import { BrandLogo } from './BrandLogo.tsx';
import { useBrand, brandKey, uploadLogo } from './useBrand.ts';
import { useTexts } from '../../i18n/texts.ts';
import { brandTexts } from './brandTexts.ts';

/** `/settings/brand`: branding of the user's meetings, set by the user or their team. */
export function BrandScreen() {
  const { t } = useTexts(brandTexts);
  useDocumentTitle(t('brand:title'));
  const { data, error, isFetching, refetch } = useBrand();
  if (data) return <Known own={data} />;
  return error ? (
    <ErrorState className="pt-16" title={t('brand:loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
  ) : (
    <SkeletonRows label={t('brand:title')} />
  );
}

function Known({ own }: { own: OwnBrand }) {
  const { t } = useTexts(brandTexts);
  const self = useSelf();
  if (own.ownerId === self.id) {
    return (
      <>
        {own.brand !== null && !own.shown && <Banner tone="info">{t('brand:notShown')}</Banner>}
        <BrandForm own={own} />
      </>
    );
  }
  return own.brand === null ? (
    <EmptyState className="pt-16" icon={<Palette />} title={t('brand:none')} description={t('brand:byOwner')} />
  ) : (
    <Card title={t('brand:title')} description={t('brand:byOwner')}>
      <BrandLogo brand={own.brand} />
    </Card>
  );
}

const startColor = '#0a6e5c';

/** Manages the chosen file, with a URL that lives while it is shown. */
function useChosenLogo() {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>();
  useEffect(() => () => (chosen ? URL.revokeObjectURL(chosen.url) : undefined), [chosen]);
  return {
    chosen,
    choose: (file: File) => setChosen({ file, url: URL.createObjectURL(file) }),
    clear: () => setChosen(null),
    keep: () => setChosen(undefined),
  };
}

function BrandForm({ own }: { own: OwnBrand }) {
  const { t } = useTexts(brandTexts);
  const queryClient = useQueryClient();
  const [name, setName] = useState(own.brand?.name ?? '');
  const [color, setColor] = useState(own.brand?.color ?? startColor);
  const [tried, setTried] = useState(false);
  const logo = useChosenLogo();

  const length = [...cleanName(name)].length;
  const nameError =
    length === 0
      ? t('brand:nameRequired')
      : length > brandNameLength
        ? t('brand:nameTooLong', { count: brandNameLength })
        : undefined;
  const colorError = brandColorPattern.test(color.trim()) ? undefined : t('brand:colorWrong');
  const logoUrl = logo.chosen === undefined ? (own.brand?.logoUrl ?? null) : (logo.chosen?.url ?? null);
  const shownColor = colorError === undefined ? color.trim().toLowerCase() : (own.brand?.color ?? startColor);

  const save = useAction(
    async () => {
      const logoURL = logo.chosen ? await uploadLogo(logo.chosen.file) : logo.chosen;
      if (logo.chosen && logoURL === null) return;
      const body = { name: cleanName(name), color: shownColor, ...(logoURL !== undefined && { logoURL }) };
      queryClient.setQueryData(brandKey, await call(routes.setBrand, { body }));
      toast({ kind: 'success', title: t('brand:saved') });
      logo.keep();
    },
    { failure: t('brand:saveFailed') },
  );
  const remove = useAction(routes.removeBrand, {
    failure: t('brand:removeFailed'),
    invalidates: [brandKey],
    onDone: () => {
      toast({ kind: 'success', title: t('brand:removed') });
      logo.keep();
      setName('');
      setColor(startColor);
      setTried(false);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (save.busy || remove.busy) return;
    setTried(true);
    if (!nameError && !colorError) void save.run();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Card title={t('brand:title')} description={`${t('brand:text')} ${t('brand:teamText')}`}>
        <div className="flex flex-col gap-4">
          <TextField
            label={t('brand:name')}
            value={name}
            error={tried ? nameError : undefined}
            autoComplete="organization"
            onChange={(event) => setName(event.target.value)}
          />
          <ColorField value={color} shown={shownColor} error={colorError} onChange={setColor} />
          <LogoField logoUrl={logoUrl} onChoose={logo.choose} onClear={logo.clear} />
        </div>
      </Card>
      <Preview brand={{ name: cleanName(name) || t('brand:name'), color: shownColor, logoUrl }} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.busy}>
          {t(save.busy ? 'brand:saving' : 'brand:save')}
        </Button>
        {own.brand !== null && (
          <Button kind="secondary" busy={remove.busy} onClick={() => void remove.run({})}>
            {t('brand:remove')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ColorFieldProps {
  value: string;
  shown: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ColorField({ value, shown, error, onChange }: ColorFieldProps) {
  const { t } = useTexts(brandTexts);
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={t('brand:color')}
          hint={t('brand:colorHint')}
          error={error}
          value={value}
          dir="ltr"
          spellCheck={false}
          maxLength={7}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <input
        type="color"
        aria-label={t('brand:pick')}
        value={shown}
        onChange={(event) => onChange(event.target.value)}
        className="mt-7 h-10 w-14 shrink-0 cursor-pointer rounded-control border border-line bg-raised p-1"
      />
    </div>
  );
}

interface LogoFieldProps {
  logoUrl: string | null;
  onChoose: (file: File) => void;
  onClear: () => void;
}

function LogoField({ logoUrl, onChoose, onClear }: LogoFieldProps) {
  const { t } = useTexts(brandTexts);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const [refused, setRefused] = useState(false);
  const choose = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    const [file] = files;
    if (file === undefined) return;
    const problem = findPictureProblem(files);
    setRefused(problem !== null);
    if (problem === null) onChoose(file);
  };
  return (
    <div>
      <p className="mb-1.5 text-14 font-medium">{t('brand:logo')}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="secondary" icon={<ImageUp />} aria-describedby={hintId} onClick={() => input.current?.click()}>
          {t('brand:chooseLogo')}
        </Button>
        {logoUrl !== null && (
          <Button kind="quiet" icon={<Trash2 />} onClick={onClear}>
            {t('brand:removeLogo')}
          </Button>
        )}
      </div>
      <p
        id={hintId}
        {...(refused && { role: 'alert' })}
        className={classNames('mt-1.5 text-13', refused ? 'text-danger-text' : 'text-muted')}
      >
        {t('brand:logoHint')}
      </p>
      <input
        ref={input}
        type="file"
        accept={pictureTypes.join(',')}
        className="hidden"
        aria-hidden="true"
        tabIndex={-1}
        data-testid="logo-input"
        onChange={(event) => {
          choose(event.target.files);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
    </div>
  );
}

/** Preview in both color schemes. A room is always dark. */
function Preview({ brand }: { brand: Brand }) {
  const { t } = useTexts(brandTexts);
  return (
    <Card title={t('brand:preview')}>
      <div className="grid gap-3 sm:grid-cols-2">
        {(['light', 'dark'] as const).map((scheme) => (
          <figure key={scheme} className="min-w-0">
            <div
              style={{ colorScheme: scheme }}
              className="flex flex-col gap-3 rounded-card border border-line bg-page p-4 text-ink forced-color-adjust-none"
            >
              <BrandLogo brand={brand} />
              <div>
                <p className="text-14 text-muted">{t('brand:exampleMeeting')}</p>
                <p className="text-16 font-semibold">{t('brand:exampleWaiting')}</p>
              </div>
            </div>
            <figcaption className="mt-1 text-13 text-muted">{t(`brand:${scheme}`)}</figcaption>
          </figure>
        ))}
      </div>
    </Card>
  );
}
