import { PlainIconButton } from './PlainIconButton.tsx';
import type { PlainIconButtonProps } from './PlainIconButton.tsx';
import { Tooltip } from './Tooltip.tsx';

export interface IconButtonProps extends PlainIconButtonProps {
  /** Leave the tooltip out, for instance as the trigger of a menu that opens at once. */
  plain?: boolean;
  tooltipSide?: 'top' | 'bottom' | 'left' | 'right';
}

/** A square button with a picture; its label is the accessible name and the tooltip's text. */
export function IconButton({ plain = false, tooltipSide, ...rest }: IconButtonProps) {
  if (plain) return <PlainIconButton {...rest} />;
  return (
    <Tooltip label={rest.label} side={tooltipSide}>
      <PlainIconButton {...rest} />
    </Tooltip>
  );
}
