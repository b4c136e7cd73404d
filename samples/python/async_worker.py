"""Three workers in one event loop: each order and its invoice are one unit of work."""

import asyncio

import mqsc


async def work(qmgr: mqsc.AsyncSession) -> None:
    orders, invoices = qmgr.queue("ORDERS"), qmgr.queue("INVOICES")
    while True:
        async with qmgr.unit():
            order = await orders.get()
            await asyncio.sleep(0.01)
            await invoices.put(json={"order": order.text})


async def main() -> None:
    async with mqsc.aconnect("shop.db", create=True) as qmgr:
        await qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE; DEFINE QLOCAL(INVOICES) REPLACE")
        workers = [asyncio.create_task(work(qmgr)) for _ in range(3)]
        for number in range(1, 7):
            await qmgr.queue("ORDERS").put(f"order {number}")
        for _ in range(6):
            invoice = await qmgr.queue("INVOICES").get()
            print("invoice for", invoice.json()["order"])
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


asyncio.run(main())
