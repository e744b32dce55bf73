import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { ChatProvider } from './ChatProvider.tsx';
import { NameGate } from './NameGate.tsx';
import { createQueryClient } from './queryClient.ts';
import { createRouter } from './router.tsx';

const ProofHost = lazy(async () => ({ default: (await import('../features/security/ProofHost.tsx')).ProofHost }));

/** Everything that needs a session: the router, the query cache, the chats and the shell around the screens. */
export function SignedIn() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createRouter);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ChatProvider>
          <NameGate>
            <RouterProvider router={router} />
            <Suspense>
              <ProofHost />
            </Suspense>
          </NameGate>
        </ChatProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}
