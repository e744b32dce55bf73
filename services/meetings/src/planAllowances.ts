import { createEntitlementsLookup } from '@nolo/installation/entitlements';
import type { UserId } from '@nolo/kit/ids';
import type { ServiceContext } from '@nolo/kit/service';
import type { FollowedSettings } from '@nolo/installation/settings';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { allowanceOf, unlimitedAllowance, limits, type MeetingAllowance, type SettingValues } from '@nolo/rules';
import type { MeetingsConfig } from './config.ts';
import type { BrandEntitlement } from './domain/brand.ts';

export interface PlanAllowanceOptions {
  /** Allowance of every plan, for tests. */
  fixed: MeetingAllowance | undefined;
  /** Operators' runtime settings. */
  installation: FollowedSettings<SettingValues>;
  onChanged: (userId: UserId) => Promise<void>;
}

const maxParticipants = limits.meetingParticipantsMax;

/** Returns what a user's plan allows in calls and meetings. Billing decides, if present (decisions 21 and 27). */
export function createPlanAllowances(
  service: ServiceContext<MeetingsConfig>,
  { fixed, installation, onChanged }: PlanAllowanceOptions,
): {
  planOf: (userId: UserId) => Promise<MeetingAllowance>;
  brandStandingOf: (userId: UserId) => Promise<BrandEntitlement>;
} {
  const { MEETING_PLAN, MEETING_MINUTES, BILLING_ADDR } = service.config;
  const entitlementsOf = createEntitlementsLookup(service, {
    billing: BILLING_ADDR && {
      entitlements: service.client(EntitlementsServiceDefinition, BILLING_ADDR),
      events: service.client(EventLogServiceDefinition, BILLING_ADDR),
    },
    // Everyone has branded rooms if nothing is sold.
    everything: BILLING_ADDR ? unlimitedAllowance : { ...allowanceOf(MEETING_PLAN), branding: null },
    free: allowanceOf('free'),
    onChanged: (userId) => onChanged(userId as UserId),
  });
  const planOf = async (userId: UserId): Promise<MeetingAllowance> => {
    if (fixed) return fixed;
    const { participants, meetingMinutes } = (await entitlementsOf(userId)).limits;
    return {
      participants: Math.min(
        participants ?? maxParticipants,
        installation.current().meetingParticipants ?? maxParticipants,
      ),
      minutes: MEETING_MINUTES ?? meetingMinutes,
    };
  };
  const brandStandingOf = async (userId: UserId): Promise<BrandEntitlement> => {
    const { limits: allowed, teamOwnerId } = await entitlementsOf(userId);
    return { ownerId: (teamOwnerId ?? userId) as UserId, allowed: allowed.branding !== 0 };
  };
  return { planOf, brandStandingOf };
}
