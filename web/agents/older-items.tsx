import { Button } from '../ui/button.tsx';
import css from './agent-history.module.css';

interface OlderItemsProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
  /** How many of them are shown, and how many there are once all are. */
  count: string;
  label: string;
}

/** The end of a list that is read page by page, the newest first. */
export function OlderItems({ list, count, label }: OlderItemsProps) {
  return (
    <footer className={css.foot}>
      <span role="status" className={css.soft}>
        {count}
      </span>
      {list.hasNextPage ? (
        <Button isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {label}
        </Button>
      ) : null}
    </footer>
  );
}
