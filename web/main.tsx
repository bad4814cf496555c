import { QueryClientProvider } from '@tanstack/react-query';
import { options } from 'preact';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { App } from './shell/app.tsx';

// Effects run right after the render that they belong to, as React has them run after what a person does. Left to the next frame,
// a key pressed before it would be answered with what stood there before.
options.requestAnimationFrame = queueMicrotask;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <App />
  </QueryClientProvider>,
);
