export default function PlansScreen(props: { ws: string }) {
  return <h1>PlansScreen {JSON.stringify(props)}</h1>;
}
