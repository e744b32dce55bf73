import type { Brand } from '@nolo/api';
import { useState, type CSSProperties } from 'react';
import { classNames } from '../../ui/classNames.ts';
import { brandStyle } from './brandTones.ts';

export interface BrandLogoProps {
  brand: Brand;
  /** `small` fits a header: logo and name in one row. */
  size?: 'small' | 'large';
  className?: string;
}

/** Brand of a room: a line in its color, its logo or initial, and its name. */
export function BrandLogo({ brand: { name, color, logoUrl }, size = 'large', className }: BrandLogoProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const large = size === 'large';
  return (
    <div
      data-testid="brand"
      // Sets custom properties, which the types do not include.
      style={brandStyle(color) as CSSProperties}
      className={classNames(
        'flex min-w-0 items-center border-s-4 border-(--brand-line) ps-3',
        large ? 'gap-3' : 'gap-2',
        className,
      )}
    >
      {logoUrl !== null && logoUrl !== broken ? (
        <img
          src={logoUrl}
          alt=""
          className={classNames('shrink-0 object-contain', large ? 'h-10 max-w-32' : 'h-7 max-w-20')}
          onError={() => setBroken(logoUrl)}
        />
      ) : (
        <span
          aria-hidden="true"
          className={classNames(
            'inline-flex shrink-0 items-center justify-center rounded-control bg-(--brand-line) font-semibold text-(--brand-on-line)',
            large ? 'size-10 text-20' : 'size-7 text-14',
          )}
        >
          {[...name][0]?.toUpperCase()}
        </span>
      )}
      <span dir="auto" className={classNames('min-w-0 truncate font-semibold', large ? 'text-16' : 'text-14')}>
        {name}
      </span>
    </div>
  );
}
