export default function AgentsScreen(props: { ws: string }) {
  return <h1>AgentsScreen {JSON.stringify(props)}</h1>;
}
