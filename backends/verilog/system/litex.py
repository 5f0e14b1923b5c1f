"""A LOOM system as a LiteX module: its registers on the SoC's bus, its memory port on the bus of masters, an
interrupt.

    from loom_system import LoomSystem
    self.submodules.loom = LoomSystem(platform, "path/to/this/folder")
    self.bus.add_slave("loom", self.loom.bus, SoCRegion(origin=0x30000000, size=0x4000, cached=False))
    self.bus.add_master("loom", self.loom.memory)
    self.irq.add("loom")
"""

import os

from migen import ClockSignal, Instance, Module, ResetSignal
from litex.soc.interconnect import axi@WISHBONE@
from litex.soc.interconnect.csr import AutoCSR
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel


class LoomSystem(Module, AutoCSR):
    def __init__(self, platform, folder, address_width=32, data_width=@DW@):
        self.bus = @BUS@
        self.memory = axi.AXIInterface(data_width=data_width, address_width=address_width, id_width=1)
        self.submodules.ev = EventManager()
        self.ev.run = EventSourceLevel()
        self.ev.finalize()
        memory = self.memory
        self.specials += Instance(
            "loom_system",
            p_ADDR=address_width, p_DW=data_width,
            i_clk=ClockSignal(), i_rst=ResetSignal(), o_irq=self.ev.run.trigger,
@PORTS@
            o_m_axi_arvalid=memory.ar.valid, i_m_axi_arready=memory.ar.ready, o_m_axi_araddr=memory.ar.addr,
            o_m_axi_arid=memory.ar.id, o_m_axi_arlen=memory.ar.len, o_m_axi_arsize=memory.ar.size,
            o_m_axi_arburst=memory.ar.burst, o_m_axi_arlock=memory.ar.lock, o_m_axi_arcache=memory.ar.cache,
            o_m_axi_arprot=memory.ar.prot, o_m_axi_arqos=memory.ar.qos,
            i_m_axi_rvalid=memory.r.valid, o_m_axi_rready=memory.r.ready, i_m_axi_rdata=memory.r.data,
            i_m_axi_rlast=memory.r.last, i_m_axi_rresp=memory.r.resp, i_m_axi_rid=memory.r.id,
            o_m_axi_awvalid=memory.aw.valid, i_m_axi_awready=memory.aw.ready, o_m_axi_awaddr=memory.aw.addr,
            o_m_axi_awid=memory.aw.id, o_m_axi_awlen=memory.aw.len, o_m_axi_awsize=memory.aw.size,
            o_m_axi_awburst=memory.aw.burst, o_m_axi_awlock=memory.aw.lock, o_m_axi_awcache=memory.aw.cache,
            o_m_axi_awprot=memory.aw.prot, o_m_axi_awqos=memory.aw.qos,
            o_m_axi_wvalid=memory.w.valid, i_m_axi_wready=memory.w.ready, o_m_axi_wdata=memory.w.data,
            o_m_axi_wstrb=memory.w.strb, o_m_axi_wlast=memory.w.last,
            i_m_axi_bvalid=memory.b.valid, o_m_axi_bready=memory.b.ready, i_m_axi_bresp=memory.b.resp,
            i_m_axi_bid=memory.b.id,
        )
        with open(os.path.join(folder, "rtl.f")) as files:
            for name in files.read().split():
                if name.endswith(".sv"):
                    platform.add_source(os.path.join(folder, name))
