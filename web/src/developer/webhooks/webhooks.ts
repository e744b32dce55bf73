import { routes, type Webhook, type WebhookDelivery } from '@nolo/api';
import type { WebhookEventType } from '@nolo/rules';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { ApiError, call, callPage } from '../../api/httpClient.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { useWebhookWords } from './useWebhookWords.ts';

const webhooksKey = ['webhooks'];
const deliveriesKey = (id: string) => ['webhookDeliveries', id];

/** Milliseconds between polls while a delivery is in progress. */
const refetchIntervalMs = 3_000;
const isUnderWay = ({ state }: WebhookDelivery) => state === 'waiting' || state === 'sending';

export function useWebhooks() {
  return useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => call(routes.listWebhooks, { signal }),
    staleTime: 0,
  });
}

/** Returns the deliveries of a webhook page by page, newest first. */
export function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: deliveriesKey(id),
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listWebhookDeliveries, {
        params: { id },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.some(isUnderWay) === true ? refetchIntervalMs : false),
  });
}

/** Returns the actions on webhooks. Plan limits and declined authentication are reported elsewhere. */
export function useWebhookActions() {
  const { t, i18n } = useWebhookWords();
  const queryClient = useQueryClient();
  const attempt = async <T>(action: () => Promise<T>, title: string): Promise<T | undefined> => {
    try {
      return await withProof(action);
    } catch (error) {
      const isShownElsewhere = error instanceof ProofDeclined || (error instanceof ApiError && error.status === 402);
      if (!isShownElsewhere) showFailure({ title, description: explainFailure(i18n, error) });
      return undefined;
    } finally {
      await queryClient.invalidateQueries({ queryKey: webhooksKey });
    }
  };
  const failed = t('webhooks.changeFailed');
  return {
    /** Resolves to the secret. */
    create: async (url: string, events: readonly WebhookEventType[]) =>
      (
        await attempt(
          () => call(routes.createWebhook, { body: { url, events: [...events] } }),
          t('webhooks.form.failed'),
        )
      )?.secret,
    rotate: async ({ id }: Webhook) =>
      (await attempt(() => call(routes.rotateWebhookSecret, { params: { id } }), failed))?.secret,
    setState: ({ id }: Webhook, state: 'active' | 'paused') =>
      attempt(() => call(routes.updateWebhook, { params: { id }, body: { state } }), failed),
    /** @returns true once the webhook is removed */
    remove: ({ id }: Webhook) =>
      attempt(async () => {
        await call(routes.deleteWebhook, { params: { id } });
        return true;
      }, failed),
    async test({ id }: Webhook) {
      const sent = await attempt(() => call(routes.testWebhook, { params: { id } }), failed);
      if (sent) toast({ kind: 'success', title: t('webhooks.tested') });
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) });
    },
    async resend({ id }: Webhook, deliveryId: string) {
      await attempt(() => call(routes.resendWebhookDelivery, { params: { id, deliveryId } }), failed);
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) });
    },
  };
}
